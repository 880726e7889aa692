/** Sessions of the pages. Only the digest of a session id is kept, so that no one who reads the store can take one over. */
import type { Actor } from '../../domain/audit.ts'
import type { SignInMeans } from '../../domain/sign-in-means.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { genuine, joined, whole } from '../rows/row-macs.ts'
import { addNewRow, changeRows } from '../rows/write-rows.ts'
import { type Identity, isLinkedTo } from '../sign-in/identities.ts'
import { hasSecondFactor } from '../sign-in/second-factors.ts'
import type { Standing, Visitor } from './people.ts'

export interface NewSession extends SessionRow {
  personId: number
  /**
   * The hash of the password with which the person was let in. A session does not begin when it has changed since, or the
   * account has ended.
   */
  passwordHash: string | null
  /** Whether the password was all that was asked for: then none begins for a person who has a second factor. */
  byPasswordAlone?: boolean
}

export interface SessionRow {
  digest: string
  at: Date
  expiresAt: Date
  /** Network address of the visitor, for the audit log. */
  ip: string
}

export function sessions(context: StoreContext) {
  const { db } = context
  return {
    /** Resolves with false, and begins none, when the person may not sign in any more. */
    open: ({ personId, passwordHash, byPasswordAlone, ...session }: NewSession): Promise<boolean> =>
      inTransaction(context, async (inside) => {
        const person = await whoMayBegin(inside, personId)
        if (!person || person.passwordHash !== passwordHash) return false
        if (byPasswordAlone && (await hasSecondFactor(inside, personId))) return false
        await beginSession(inside, person, session, { means: passwordHash === null ? 'demo' : 'password' })
        return true
      }),

    /** The same for someone who came with an identity, while it is linked to the account. */
    openWithIdentity: (identity: Identity, personId: number, session: SessionRow): Promise<boolean> =>
      inTransaction(context, async (inside) => {
        const person = await whoMayBegin(inside, personId)
        if (!person || !(await isLinkedTo(inside, identity, personId))) return false
        await beginSession(inside, person, session, { means: 'singleSignOn', issuer: identity.issuer })
        return true
      }),

    /**
     * Returns the person of a session; null when it ended, was idle since before `idleSince`, or the person may no longer sign
     * in.
     */
    async find(digest: string, at: Date, idleSince: Date): Promise<{ visitor: Visitor; seenAt: Date } | null> {
      const row = await ongoing(db, at, idleSince).where('s.digest', '=', digest).executeTakeFirst()
      const known = row && genuinely(context, row)
      if (!known) return null
      const { session, person } = known
      const { id, email, name, role, npi, organizationId, passwordHash } = person
      const hasPassword = passwordHash !== null
      return {
        visitor: { personId: id, email, name, role, npi, organizationId, means: session.means, hasPassword },
        seenAt: new Date(session.seenAt),
      }
    },

    /** Which of these sessions `find` would find, by digest. */
    async ongoing(digests: readonly string[], at: Date, idleSince: Date): Promise<Set<string>> {
      const rows = await ongoing(db, at, idleSince).where('s.digest', 'in', digests).execute()
      return new Set(rows.flatMap((row) => genuinely(context, row)?.session.digest ?? []))
    },

    /** Returns the present rights of the people of these sessions, by digest; without sessions that have ended. */
    async standings(digests: readonly string[], at: Date, idleSince: Date): Promise<Map<string, Standing>> {
      const rows = await ongoing(db, at, idleSince).where('s.digest', 'in', digests).execute()
      const known = rows.flatMap((row) => genuinely(context, row) ?? [])
      return new Map(
        known.map(({ session: { digest }, person: { role, organizationId } }) => [digest, { role, organizationId }]),
      )
    },

    /** Whether it began with an identity at this provider. */
    async cameFrom(digest: string, issuer: string): Promise<boolean> {
      const query = db.selectFrom('session').selectAll().where('digest', '=', digest).where('issuer', '=', issuer)
      return genuine(context, 'session', await query.executeTakeFirst()) !== null
    },

    async seen(digest: string, at: Date): Promise<void> {
      await db.updateTable('session').set({ seenAt: at.toISOString() }).where('digest', '=', digest).execute()
    },

    /** Moves the end of each session with the clock of a sandbox that is put forward: people live in real time. */
    carryAlong: (ms: number, at: Date): Promise<void> =>
      inTransaction(context, async (inside) => {
        const rows = await inside.db
          .selectFrom('session')
          .selectAll()
          .where('expiresAt', '>', at.toISOString())
          .execute()
        const later = (time: string) => new Date(Date.parse(time) + ms).toISOString()
        for (const { digest, seenAt, expiresAt } of rows.filter((row) => genuine(context, 'session', row)))
          await changeRows(inside, 'session', (found) => found.where('digest', '=', digest), {
            seenAt: later(seenAt),
            expiresAt: later(expiresAt),
          })
      }),

    async end(digest: string): Promise<void> {
      await db.deleteFrom('session').where('digest', '=', digest).execute()
    },
  }
}

/** Sessions that have not ended, of people who may sign in. A signer may while the directory has them as active. */
const ongoing = (db: StoreContext['db'], at: Date, idleSince: Date) =>
  db
    .selectFrom('session as s')
    .innerJoin('person as p', 'p.id', 's.personId')
    .leftJoin('provider as d', 'd.npi', 'p.npi')
    .where('p.disabledAt', 'is', null)
    .where('p.removedAt', 'is', null)
    .where('s.expiresAt', '>', at.toISOString())
    .where('s.seenAt', '>', idleSince.toISOString())
    .where((where) => where.or([where('p.role', '<>', 'signer'), where('d.isActive', '=', 1)]))
    .select(whole('session', 's'))
    .select(whole('person', 'p'))
    .select(whole('provider', 'd'))

/** The session and the person of such a row; null when one of them, or the signer, was changed without the master key. */
function genuinely(context: StoreContext, row: object) {
  const [session, person] = [joined(context, 'session', row), joined(context, 'person', row)]
  if (!session || !person) return null
  if (person.role === 'signer' && !joined(context, 'provider', row)) return null
  return { session, person }
}

/** Whom a session is begun for. */
export type Beginner = NonNullable<Awaited<ReturnType<typeof whoMayBegin>>>

/** Resolves with the person, locked; null when they may not sign in. */
export async function whoMayBegin(context: TransactionContext, personId: number) {
  const { db, locksRows } = context
  const mayBegin = db
    .selectFrom('person')
    .selectAll()
    .where('id', '=', personId)
    .where('disabledAt', 'is', null)
    .where('removedAt', 'is', null)
  return genuine(context, 'person', await (locksRows ? mayBegin.forUpdate() : mayBegin).executeTakeFirst())
}

/** How a person was let in; `issuer` is the provider that they came from. */
interface LetIn {
  means: SignInMeans
  issuer?: string
}

export async function beginSession(
  inside: TransactionContext,
  person: Beginner,
  session: SessionRow,
  { means, issuer }: LetIn,
): Promise<void> {
  const { digest, at, expiresAt, ip } = session
  const now = at.toISOString()
  // No one else sweeps: those that ended are dropped when the next one begins.
  await inside.db.deleteFrom('session').where('expiresAt', '<=', now).execute()
  await addNewRow(inside, 'session', {
    digest,
    personId: person.id,
    seenAt: now,
    expiresAt: expiresAt.toISOString(),
    issuer: issuer ?? null,
    means,
  })
  const { id: subject, organizationId } = person
  await inside.db.updateTable('person').set({ lastSignInAt: now }).where('id', '=', subject).execute()
  const action = issuer === undefined ? 'session.begin' : 'session.sign-on'
  inside.audit({ action, by: actorOf(person, ip), at, organizationId, subject })
}

/** How the audit log names a person who signs in. */
export const actorOf = ({ id, role, npi }: Pick<Beginner, 'id' | 'role' | 'npi'>, ip: string): Actor =>
  role === 'signer' ? { kind: 'signer', id: npi, ip } : { kind: 'operator', id: String(id), ip }
