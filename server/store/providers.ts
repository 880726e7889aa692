/** Providers, who sign, and the organizations they belong to. The same for every sender. */
import type { Address } from '../../lib/contract/primitives.ts'
import { flag, inTransaction, type StoreContext } from './context.ts'

export interface SignerScript {
  /** What a demo signer does by itself with each document. */
  act: 'sign' | 'reject'
  afterSeconds: number
  reason?: string
}

export interface StoredProvider {
  npi: string
  firstName: string
  lastName: string
  signingName: string
  isActive: boolean
  script: SignerScript | null
  /** The active organizations, the primary one first. */
  organizations: { id: number; name: string; npi: string | null; addresses: Address[] }[]
}

export type NewProvider = Omit<StoredProvider, 'organizations'> & { organizationIds: readonly number[] }

export function providers(context: StoreContext) {
  const { db } = context

  async function find(npi: string): Promise<StoredProvider | null> {
    const row = await db.selectFrom('provider').selectAll().where('npi', '=', npi).executeTakeFirst()
    if (!row) return null
    const organizations = await db
      .selectFrom('provider_organization as of')
      .innerJoin('organization as o', 'o.id', 'of.organization_id')
      .select(['o.id', 'o.name', 'o.npi', 'o.addresses'])
      .where('of.npi', '=', npi)
      .where('of.is_active', '=', 1)
      .orderBy('of.position')
      .execute()
    return {
      npi: row.npi,
      firstName: row.first_name,
      lastName: row.last_name,
      signingName: row.signing_name,
      isActive: row.is_active === 1,
      script: row.script === null ? null : (JSON.parse(row.script) as SignerScript),
      organizations: organizations.map(({ addresses, ...organization }) => ({
        ...organization,
        addresses: JSON.parse(addresses) as Address[],
      })),
    }
  }

  return {
    find,

    create: (provider: NewProvider): Promise<void> =>
      inTransaction(context, async (inside) => {
        await inside.db
          .insertInto('provider')
          .values({
            npi: provider.npi,
            first_name: provider.firstName,
            last_name: provider.lastName,
            signing_name: provider.signingName,
            is_active: flag(provider.isActive),
            script: provider.script === null ? null : JSON.stringify(provider.script),
          })
          .execute()
        const memberships = provider.organizationIds.map((id, position) => ({
          npi: provider.npi,
          organization_id: id,
          position,
          is_active: 1 as const,
        }))
        if (memberships.length > 0) await inside.db.insertInto('provider_organization').values(memberships).execute()
      }),

    async list(): Promise<StoredProvider[]> {
      const rows = await db.selectFrom('provider').select('npi').orderBy('npi').execute()
      const found = await Promise.all(rows.map(({ npi }) => find(npi)))
      return found.filter((provider) => provider !== null)
    },

    /** False when there is no such provider. */
    async setActive(npi: string, isActive: boolean): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('provider')
        .set({ is_active: flag(isActive) })
        .where('npi', '=', npi)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}
