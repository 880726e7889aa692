/** People who may sign in to the pages. Never gives away a password: only its hash is kept, and only a sign-in reads it. */
import { type Actor, OPERATOR, SERVICE } from '../../domain/audit.ts'
import { inTransaction, type StoreContext } from '../context.ts'
import type { PersonRole } from '../sql/tables/directory-tables.ts'

export type { PersonRole } from '../sql/tables/directory-tables.ts'

export interface Person {
  id: number
  email: string
  name: string
  role: PersonRole
  /** Of a signer. */
  npi: string | null
  /** Of an administrator. */
  organizationId: number | null
}

/** Who looks at a page. What they may see follows from their role: what is a signer's by NPI, an administrator's by organization, or all. */
export interface Visitor extends Omit<Person, 'id'> {
  personId: number
}

export interface NewPerson extends Omit<Person, 'id'> {
  passwordHash: string | null
}

export interface DemoPerson extends Pick<Person, 'id' | 'name' | 'role'> {
  /** Signs or rejects some seconds after a document came, without anybody doing it. */
  actsAlone: boolean
}

const personColumns = ['id', 'email', 'name', 'role', 'npi', 'organizationId'] as const

export function people(context: StoreContext) {
  const { db } = context
  const all = () => db.selectFrom('person').select(personColumns)
  return {
    /** Null when somebody has this e-mail address already. */
    create: (
      { organizationId, passwordHash, ...person }: NewPerson,
      at: Date,
      by: Actor = SERVICE,
    ): Promise<number | null> =>
      inTransaction(context, async (inside) => {
        const row = await inside.db
          .insertInto('person')
          .values({
            ...person,
            organizationId,
            passwordHash,
            createdAt: at.toISOString(),
          })
          .onConflict((conflict) => conflict.column('email').doNothing())
          .returning('id')
          .executeTakeFirst()
        if (row) inside.audit({ action: 'account.create', by, at, organizationId, subject: row.id })
        return row?.id ?? null
      }),

    find: (id: number): Promise<Person | undefined> => all().where('id', '=', id).executeTakeFirst(),

    list: (): Promise<Person[]> => all().orderBy('role').orderBy('name').execute(),

    /** For a sign-in. `email` in lower case. */
    findByEmail: (email: string): Promise<(Person & { passwordHash: string | null }) | undefined> =>
      all().select('passwordHash').where('email', '=', email).executeTakeFirst(),

    /** The people of the demo: nobody can sign in as one of them with a password. Those who act by themselves come last. */
    async listWithoutPassword(): Promise<DemoPerson[]> {
      const rows = await db
        .selectFrom('person as p')
        .leftJoin('provider as d', 'd.npi', 'p.npi')
        .select(['p.id', 'p.name', 'p.role', 'd.script'])
        .where('p.passwordHash', 'is', null)
        .orderBy('p.role')
        .orderBy('p.name')
        .execute()
      return rows
        .map(({ script, ...person }) => ({ ...person, actsAlone: script !== null }))
        .sort((a, b) => Number(a.actsAlone) - Number(b.actsAlone))
    },

    /** Ends every session of the person. False when nobody has this e-mail address. */
    setPassword: (email: string, passwordHash: string, at: Date, by: Actor = OPERATOR): Promise<boolean> =>
      inTransaction(context, async (inside) => {
        const row = await inside.db
          .updateTable('person')
          .set({ passwordHash })
          .where('email', '=', email)
          .returning(['id', 'organizationId'])
          .executeTakeFirst()
        if (!row) return false
        const { id, organizationId } = row
        await inside.db.deleteFrom('session').where('personId', '=', id).execute()
        inside.audit({ action: 'account.password', by, at, organizationId, subject: id })
        return true
      }),
  }
}
