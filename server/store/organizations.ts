/** Organizations: senders with keys, and those that signers belong to. For the operator and for routing; not scoped. */
import type { Address } from '../../lib/contract/primitives.ts'
import { flag, type StoreContext } from './context.ts'

export interface Organization {
  id: number
  name: string
  npi: string | null
  addresses: Address[]
  ingestionEnabled: boolean
}

export type NewOrganization = Omit<Organization, 'id'>

export function organizations({ db }: StoreContext) {
  const columns = ['id', 'name', 'npi', 'addresses', 'ingestion_enabled'] as const
  const read = (row: {
    id: number
    name: string
    npi: string | null
    addresses: string
    ingestion_enabled: 0 | 1
  }) => ({
    id: row.id,
    name: row.name,
    npi: row.npi,
    addresses: JSON.parse(row.addresses) as Address[],
    ingestionEnabled: row.ingestion_enabled === 1,
  })

  return {
    async create(organization: NewOrganization, at: Date): Promise<number> {
      const { id } = await db
        .insertInto('organization')
        .values({
          name: organization.name,
          npi: organization.npi,
          addresses: JSON.stringify(organization.addresses),
          ingestion_enabled: flag(organization.ingestionEnabled),
          created_at: at.toISOString(),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },

    async list(): Promise<Organization[]> {
      return (await db.selectFrom('organization').select(columns).orderBy('id').execute()).map(read)
    },

    async find(id: number): Promise<Organization | null> {
      const row = await db.selectFrom('organization').select(columns).where('id', '=', id).executeTakeFirst()
      return row ? read(row) : null
    },

    async findByName(name: string): Promise<Organization | null> {
      const row = await db.selectFrom('organization').select(columns).where('name', '=', name).executeTakeFirst()
      return row ? read(row) : null
    },

    async update(id: number, { npi, addresses }: Pick<Organization, 'npi' | 'addresses'>): Promise<void> {
      await db
        .updateTable('organization')
        .set({ npi, addresses: JSON.stringify(addresses) })
        .where('id', '=', id)
        .execute()
    },

    /** False when there is no such organization. */
    async setIngestion(id: number, enabled: boolean): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('organization')
        .set({ ingestion_enabled: flag(enabled) })
        .where('id', '=', id)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}
