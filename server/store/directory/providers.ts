/** Providers, who sign, and the organizations they belong to. The same for every sender. */
import type { Selectable } from 'kysely'
import type { Address } from '../../../lib/contract/primitives.ts'
import { type Actor, OPERATOR, SERVICE } from '../../domain/audit.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { endDelegations } from '../delegation/ended-delegations.ts'
import { type Flag, flag } from '../sql/flag.ts'
import type { Schema } from '../sql/schema.ts'

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
  /** Those where the provider is active, the primary one first. One that is itself inactive receives nothing. */
  organizations: { id: number; name: string; npi: string | null; addresses: Address[]; isActive: boolean }[]
}

export type NewProvider = Omit<StoredProvider, 'organizations'> & { organizationIds: readonly number[] }

export function providers(context: StoreContext) {
  const { db } = context

  const select = () => db.selectFrom('provider').selectAll()
  const placesOf = () =>
    db
      .selectFrom('providerOrganization as of')
      .innerJoin('organization as o', 'o.id', 'of.organizationId')
      .select(['of.npi as of', 'o.id', 'o.name', 'o.npi', 'o.addresses', 'o.isActive'])
      .where('of.isActive', '=', 1)
      .orderBy('of.position')

  return {
    async find(npi: string): Promise<StoredProvider | null> {
      const rows = await db
        .selectFrom('provider as p')
        .leftJoin('providerOrganization as of', (join) => join.onRef('of.npi', '=', 'p.npi').on('of.isActive', '=', 1))
        .leftJoin('organization as o', 'o.id', 'of.organizationId')
        .selectAll('p')
        .select(['o.id', 'o.name', 'o.npi as organizationNpi', 'o.addresses', 'o.isActive as organizationIsActive'])
        .where('p.npi', '=', npi)
        .orderBy('of.position')
        .execute()
      const [provider] = rows
      if (!provider) return null
      const places = rows.flatMap(({ id, name, organizationNpi, addresses, organizationIsActive: isActive }) =>
        id === null
          ? []
          : [{ of: npi, id, name: name!, npi: organizationNpi, addresses: addresses!, isActive: isActive! }],
      )
      return providerOf(provider, places)
    },

    create: (provider: NewProvider, at: Date, by: Actor = SERVICE): Promise<void> =>
      inTransaction(context, async (inside) => {
        await inside.db
          .insertInto('provider')
          .values({
            npi: provider.npi,
            firstName: provider.firstName,
            lastName: provider.lastName,
            signingName: provider.signingName,
            isActive: flag(provider.isActive),
            script: provider.script === null ? null : JSON.stringify(provider.script),
          })
          .execute()
        await addTo(inside, provider.npi, provider.organizationIds)
        inside.audit({ action: 'provider.create', by, at, organizationId: null, subject: provider.npi })
      }),

    async list(): Promise<StoredProvider[]> {
      const rows = await select().orderBy('npi').execute()
      const places = new Map<string, PlaceRow[]>(rows.map(({ npi }) => [npi, []]))
      for (const place of await placesOf().execute()) places.get(place.of)?.push(place)
      return rows.map((row) => providerOf(row, places.get(row.npi) ?? []))
    },

    /** False when there is no such provider. */
    setActive: (npi: string, isActive: boolean, at: Date, by: Actor = OPERATOR): Promise<boolean> =>
      inTransaction(context, async (inside) => {
        const { numUpdatedRows } = await inside.db
          .updateTable('provider')
          .set({ isActive: flag(isActive) })
          .where('npi', '=', npi)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
        if (!isActive) await endDelegations(inside, { npi }, { by, at })
        inside.audit({ action: 'provider.update', by, at, organizationId: null, subject: npi })
        return true
      }),

    /** The active organizations of a provider from now on, the primary one first. The caller has established that all exist. */
    setOrganizations: (npi: string, ids: readonly number[], at: Date, by: Actor = OPERATOR): Promise<void> =>
      inTransaction(context, async (inside) => {
        await inside.db.updateTable('providerOrganization').set({ isActive: 0 }).where('npi', '=', npi).execute()
        await addTo(inside, npi, ids)
        await endDelegations(inside, { npi, exceptIn: ids }, { by, at })
        inside.audit({ action: 'provider.update', by, at, organizationId: null, subject: npi })
      }),
  }
}

interface PlaceRow {
  id: number
  name: string
  npi: string | null
  addresses: string
  isActive: Flag
}

const providerOf = (row: Selectable<Schema['provider']>, places: readonly PlaceRow[]): StoredProvider => ({
  npi: row.npi,
  firstName: row.firstName,
  lastName: row.lastName,
  signingName: row.signingName,
  isActive: row.isActive === 1,
  script: row.script === null ? null : (JSON.parse(row.script) as SignerScript),
  organizations: places.map(({ id, name, npi, addresses, isActive }) => ({
    id,
    name,
    npi,
    addresses: JSON.parse(addresses) as Address[],
    isActive: isActive === 1,
  })),
})

/** Adds the provider to the organizations, in this order. */
async function addTo({ db }: TransactionContext, npi: string, ids: readonly number[]): Promise<void> {
  for (const [position, organizationId] of ids.entries())
    await db
      .insertInto('providerOrganization')
      .values({ npi, organizationId, position, isActive: 1 })
      .onConflict((known) => known.columns(['npi', 'organizationId']).doUpdateSet({ position, isActive: 1 }))
      .execute()
}
