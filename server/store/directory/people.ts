/** People who may sign in to the pages, and those who might before. */
import { type Actor, SERVICE } from '../../domain/audit.ts'
import type { SignInMeans } from '../../domain/sign-in-means.ts'
import { inTransaction, type StoreContext } from '../context.ts'
import { addRow, changeRows } from '../rows/write-rows.ts'
import type { PersonRole } from '../sql/tables/directory-tables.ts'

export type { PersonRole } from '../sql/tables/directory-tables.ts'

interface Identity {
  email: string
  name: string
  role: PersonRole
  /** Set for signers. */
  npi: string | null
  /** Set for administrators. */
  organizationId: number | null
}

export interface Person extends Identity {
  id: number
  /** Since when the person may not sign in; null while they may. */
  disabledAt: string | null
  /** When the account ended permanently. `email` is then the address that it had. */
  removedAt: string | null
  lastSignInAt: string | null
}

/** Decides what someone may do in the console. */
export interface Standing {
  role: PersonRole
  organizationId: number | null
}

/** Who looks at a page. What they may see follows from their role: what is a signer's by NPI, an administrator's by organization, or all. */
export interface Visitor extends Identity {
  personId: number
  /** False for the people of the demo, who need none. */
  hasPassword: boolean
  /** How they signed in; null where an earlier version did not note it. */
  means: SignInMeans | null
}

export interface NewPerson extends Identity {
  passwordHash: string | null
}

export interface DemoPerson extends Pick<Person, 'id' | 'name' | 'role'> {
  /** Signs or rejects some seconds after a document came, without anyone doing it. */
  actsAlone: boolean
}

const personColumns = [
  'id',
  'name',
  'role',
  'npi',
  'organizationId',
  'disabledAt',
  'removedAt',
  'lastSignInAt',
] as const

const withRemoved = (db: StoreContext['db']) =>
  db
    .selectFrom('person')
    .select(personColumns)
    .select(({ fn }) => fn.coalesce('removedEmail', 'email').as('email'))

/** All but those who were removed. */
const existing = (db: StoreContext['db']) => withRemoved(db).where('removedAt', 'is', null)

export function people(context: StoreContext) {
  const { db } = context
  return {
    /** Null when someone has this e-mail address already. */
    create: (
      { organizationId, passwordHash, ...person }: NewPerson,
      at: Date,
      by: Actor = SERVICE,
    ): Promise<number | null> =>
      inTransaction(context, async (inside) => {
        const values = { ...person, organizationId, passwordHash, createdAt: at.toISOString() }
        const row = await addRow(inside, 'person', values)
        if (row) inside.audit({ action: 'account.create', by, at, organizationId, subject: row.id })
        return row?.id ?? null
      }),

    /** Corrects the account of this e-mail address, or makes it. */
    put: (person: NewPerson, at: Date, by: Actor = SERVICE): Promise<void> =>
      inTransaction(context, async (inside) => {
        const { email, ...values } = person
        const found = await changeRows(inside, 'person', (rows) => rows.where('email', '=', email), values)
        if (found.length === 0) await people(inside).create(person, at, by)
      }),

    find: (id: number): Promise<Person | undefined> => existing(db).where('id', '=', id).executeTakeFirst(),

    list: (): Promise<Person[]> => existing(db).orderBy('role').orderBy('name').execute(),

    /** Returns removed accounts, for looking up an id from the audit log. */
    listRemoved: (): Promise<Person[]> =>
      withRemoved(db).where('removedAt', 'is not', null).orderBy('removedAt', 'desc').execute(),

    /** The people of the demo: no one can sign in as one of them with a password. Those who act by themselves come last. */
    async listWithoutPassword(): Promise<DemoPerson[]> {
      const rows = await db
        .selectFrom('person as p')
        .leftJoin('provider as d', 'd.npi', 'p.npi')
        .select(['p.id', 'p.name', 'p.role', 'd.script'])
        .where('p.passwordHash', 'is', null)
        .where('p.disabledAt', 'is', null)
        .where('p.removedAt', 'is', null)
        .orderBy('p.role')
        .orderBy('p.name')
        .execute()
      return rows
        .map(({ script, ...person }) => ({ ...person, actsAlone: script !== null }))
        .sort((a, b) => Number(a.actsAlone) - Number(b.actsAlone))
    },
  }
}
