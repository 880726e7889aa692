/** Providers, who sign, and the organizations they belong to. The same for every sender. */
import type { Selectable } from 'kysely'
import type { Address } from '../../../lib/contract/primitives.ts'
import { type Actor, OPERATOR, SERVICE } from '../../domain/audit.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { endDelegations } from '../delegation/ended-delegations.ts'
import { genuine, joined, whole } from '../rows/row-macs.ts'
import { addNewRow, addRow, changeRows } from '../rows/write-rows.ts'
import { type Flag, flag } from '../sql/flag.ts'
import type { Schema } from '../sql/schema.ts'

export interface SignerScript {
  /** The act of a demo signer on each document. */
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
  /** The organizations where the provider is active, the primary one first. One that is itself inactive receives nothing. */
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
        .select(whole('providerOrganization', 'of'))
        .select(whole('organization', 'o'))
        .where('p.npi', '=', npi)
        .orderBy('of.position')
        .execute()
      const provider = genuine(context, 'provider', rows[0])
      if (!provider) return null
      // Those that were changed without the master key count as if they were not there.
      const places = rows.flatMap((row) => {
        const organization = joined(context, 'providerOrganization', row) && joined(context, 'organization', row)
        return organization ? [organization] : []
      })
      return providerOf(provider, places)
    },

    create: (provider: NewProvider, at: Date, by: Actor = SERVICE): Promise<void> =>
      inTransaction(context, async (inside) => {
        await addNewRow(inside, 'provider', { npi: provider.npi, ...columnsOf(provider) })
        await addTo(inside, provider.npi, provider.organizationIds)
        inside.audit({ action: 'provider.create', by, at, organizationId: null, subject: provider.npi })
      }),

    /** Corrects the provider of this NPI, or makes one. */
    put: ({ npi, organizationIds, ...provider }: NewProvider, at: Date, by: Actor = SERVICE): Promise<void> =>
      inTransaction(context, async (inside) => {
        const found = await changeRows(inside, 'provider', (rows) => rows.where('npi', '=', npi), columnsOf(provider))
        if (found.length === 0) return providers(inside).create({ npi, organizationIds, ...provider }, at, by)
        await addTo(inside, npi, organizationIds)
        inside.audit({ action: 'provider.update', by, at, organizationId: null, subject: npi })
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
        const set = { isActive: flag(isActive) }
        const changed = await changeRows(inside, 'provider', (rows) => rows.where('npi', '=', npi), set)
        if (changed.length === 0) return false
        if (!isActive) await endDelegations(inside, { npi }, { by, at })
        inside.audit({ action: 'provider.update', by, at, organizationId: null, subject: npi })
        return true
      }),

    /** The active organizations of a provider from now on, the primary one first. The caller has established that all exist. */
    setOrganizations: (npi: string, ids: readonly number[], at: Date, by: Actor = OPERATOR): Promise<void> =>
      inTransaction(context, async (inside) => {
        await changeRows(inside, 'providerOrganization', (rows) => rows.where('npi', '=', npi), { isActive: 0 })
        await addTo(inside, npi, ids)
        await endDelegations(inside, { npi, exceptIn: ids }, { by, at })
        inside.audit({ action: 'provider.update', by, at, organizationId: null, subject: npi })
      }),
  }
}

const columnsOf = (provider: Omit<NewProvider, 'npi' | 'organizationIds'>) => ({
  firstName: provider.firstName,
  lastName: provider.lastName,
  signingName: provider.signingName,
  isActive: flag(provider.isActive),
  script: provider.script === null ? null : JSON.stringify(provider.script),
})

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
async function addTo(inside: TransactionContext, npi: string, ids: readonly number[]): Promise<void> {
  for (const [position, organizationId] of ids.entries()) {
    const place = { position, isActive: 1 } as const
    if (await addRow(inside, 'providerOrganization', { npi, organizationId, ...place })) continue
    await changeRows(
      inside,
      'providerOrganization',
      (rows) => rows.where('npi', '=', npi).where('organizationId', '=', organizationId),
      place,
    )
  }
}
