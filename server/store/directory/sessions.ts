/** Sessions of the pages. Only the digest of a session id is kept, so that nobody who reads the store can take one over. */
import type { Actor } from '../../domain/audit.ts'
import type { SignInMeans } from '../../domain/sign-in-means.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { type Identity, isLinkedTo } from '../sign-in/identities.ts'
import { hasSecondFactor } from '../sign-in/second-factors.ts'
import type { Standing, Visitor } from './people.ts'

export interface NewSession extends SessionRow {
  personId: number
  /** With which the person was let in. A session does not begin when it has changed since, or the account has ended. */
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

    /** The same for somebody who came with an identity, while it is linked to the account. */
    openWithIdentity: (identity: Identity, personId: number, session: SessionRow): Promise<boolean> =>
      inTransaction(context, async (inside) => {
        const person = await whoMayBegin(inside, personId)
        if (!person || !(await isLinkedTo(inside.db, identity, personId))) return false
        await beginSession(inside, person, session, { means: 'singleSignOn', issuer: identity.issuer })
        return true
      }),

    /** Whose session it is; null when it ended, was idle since before `idleSince`, or its person may no longer sign in. */
    async find(digest: string, at: Date, idleSince: Date): Promise<{ visitor: Visitor; seenAt: Date } | null> {
      const row = await ongoing(db, at, idleSince)
        .select(['p.id', 'p.email', 'p.name', 'p.role', 'p.npi', 'p.organizationId', 'p.passwordHash', 's.seenAt'])
        .select('s.means')
        .where('s.digest', '=', digest)
        .executeTakeFirst()
      if (!row) return null
      const { id, email, name, role, npi, organizationId, means, passwordHash } = row
      return {
        visitor: { personId: id, email, name, role, npi, organizationId, means, hasPassword: passwordHash !== null },
        seenAt: new Date(row.seenAt),
      }
    },

    /** Which of these sessions `find` would find, by digest. */
    async ongoing(digests: readonly string[], at: Date, idleSince: Date): Promise<Set<string>> {
      const rows = await ongoing(db, at, idleSince).select('s.digest').where('s.digest', 'in', digests).execute()
      return new Set(rows.map(({ digest }) => digest))
    },

    /** What the people of these sessions may do now, by digest; without those that have ended. */
    async standings(digests: readonly string[], at: Date, idleSince: Date): Promise<Map<string, Standing>> {
      const rows = await ongoing(db, at, idleSince)
        .select(['s.digest', 'p.role', 'p.organizationId'])
        .where('s.digest', 'in', digests)
        .execute()
      return new Map(rows.map(({ digest, role, organizationId }) => [digest, { role, organizationId }]))
    },

    /** Whether it began with an identity at this provider. */
    async cameFrom(digest: string, issuer: string): Promise<boolean> {
      const query = db.selectFrom('session').select('digest').where('digest', '=', digest).where('issuer', '=', issuer)
      return (await query.executeTakeFirst()) !== undefined
    },

    async seen(digest: string, at: Date): Promise<void> {
      await db.updateTable('session').set({ seenAt: at.toISOString() }).where('digest', '=', digest).execute()
    },

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

/** Whom a session is begun for. */
export type Beginner = NonNullable<Awaited<ReturnType<typeof whoMayBegin>>>

/** Resolves with the person, locked; undefined when they may not sign in. */
export function whoMayBegin({ db, locksRows }: TransactionContext, personId: number) {
  const mayBegin = db
    .selectFrom('person')
    .select(['id', 'role', 'npi', 'organizationId', 'passwordHash'])
    .where('id', '=', personId)
    .where('disabledAt', 'is', null)
    .where('removedAt', 'is', null)
  return (locksRows ? mayBegin.forUpdate() : mayBegin).executeTakeFirst()
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
  // Nobody else sweeps: those that ended are dropped when the next one begins.
  await inside.db.deleteFrom('session').where('expiresAt', '<=', now).execute()
  await inside.db
    .insertInto('session')
    .values({
      digest,
      personId: person.id,
      seenAt: now,
      expiresAt: expiresAt.toISOString(),
      issuer: issuer ?? null,
      means,
    })
    .execute()
  const { id: subject, organizationId } = person
  const action = issuer === undefined ? 'session.begin' : 'session.sign-on'
  inside.audit({ action, by: actorOf(person, ip), at, organizationId, subject })
}

/** How the audit log names a person who signs in. */
export const actorOf = ({ id, role, npi }: Pick<Beginner, 'id' | 'role' | 'npi'>, ip: string): Actor =>
  role === 'signer' ? { kind: 'signer', id: npi, ip } : { kind: 'operator', id: String(id), ip }
