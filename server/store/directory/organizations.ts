/** Organizations: senders with keys, and those that signers belong to. For the operator and for routing; not scoped. */
import type { Selectable, Updateable } from 'kysely'
import type { Address } from '../../../lib/contract/primitives.ts'
import type { DocumentRule } from '../../../lib/pdf/plain/document-rules.ts'
import type { ActiveContentPolicy } from '../../../lib/pdf/prepare/active-content.ts'
import { type Actor, OPERATOR, SERVICE } from '../../domain/audit.ts'
import type { SignatureRule } from '../../domain/task/signature-place.ts'
import { inTransaction, type StoreContext } from '../context.ts'
import { endDelegations } from '../delegation/ended-delegations.ts'
import { genuine } from '../rows/row-macs.ts'
import { addNewRow, changeRows } from '../rows/write-rows.ts'
import { flag } from '../sql/flag.ts'
import type { Schema } from '../sql/schema.ts'
import { type ActiveContentChange, policyChange, policyColumns, policyOf } from './active-content.ts'
import { mustBeNew } from './organization-name.ts'
import { mustBeFree } from './organization-npi.ts'

export interface Organization {
  id: number
  name: string
  npi: string | null
  addresses: Address[]
  ingestionEnabled: boolean
  /** While it is not, its keys are refused, and no task is routed to it. */
  isActive: boolean
  /** The treatment of active content in the documents that it sends. */
  activeContent: ActiveContentPolicy
  /** Whether the text of tokens in the documents that it sends is covered when they are signed. choice: Text of tokens */
  coversTokens: boolean
  /** The treatment of documents that it sends without a signature field. */
  signatureRule: SignatureRule
  /** Whether its signers may let a colleague sign for them. choice: Signing for a colleague */
  allowsDelegation: boolean
  /** The IANA name of the time zone by which dates in what it sends are judged; null for that of the service. choice: Days */
  timeZone: string | null
  /** How documents that it sends are treated, depending on whether they are plain. */
  documents: DocumentRule
}

export type NewOrganization = Omit<
  Organization,
  'id' | 'isActive' | 'activeContent' | 'coversTokens' | 'signatureRule' | 'allowsDelegation' | 'timeZone' | 'documents'
> & {
  activeContent?: ActiveContentChange | undefined
  coversTokens?: boolean | undefined
  signatureRule?: SignatureRule | undefined
  allowsDelegation?: boolean | undefined
  timeZone?: string | null | undefined
  documents?: DocumentRule | undefined
}

/** At least one of them. */
export interface OrganizationChange {
  npi?: Organization['npi'] | undefined
  addresses?: Organization['addresses'] | undefined
  ingestionEnabled?: boolean | undefined
  isActive?: boolean | undefined
  activeContent?: ActiveContentChange | undefined
  coversTokens?: boolean | undefined
  signatureRule?: SignatureRule | undefined
  allowsDelegation?: boolean | undefined
  timeZone?: string | null | undefined
  documents?: DocumentRule | undefined
}

export function organizations(context: StoreContext) {
  const { db } = context
  const columns = [
    'id',
    'name',
    'npi',
    'addresses',
    'ingestionEnabled',
    'isActive',
    'coversTokens',
    'signatureRule',
    'allowsDelegation',
    'timeZone',
    'documents',
    ...policyColumns,
  ] as const
  const read = (row: Pick<Selectable<Schema['organization']>, (typeof columns)[number]>): Organization => ({
    id: row.id,
    name: row.name,
    npi: row.npi,
    addresses: JSON.parse(row.addresses) as Address[],
    ingestionEnabled: row.ingestionEnabled === 1,
    isActive: row.isActive === 1,
    activeContent: policyOf(row),
    coversTokens: row.coversTokens === 1,
    signatureRule: row.signatureRule,
    allowsDelegation: row.allowsDelegation === 1,
    timeZone: row.timeZone,
    documents: row.documents,
  })

  return {
    /** Refuses a name or an NPI that another organization has. */
    create: (organization: NewOrganization, at: Date, by: Actor = SERVICE): Promise<number> =>
      inTransaction(context, async (inside) => {
        await mustBeNew(inside, organization.name)
        await mustBeFree(inside, organization.npi)
        const { id } = await addNewRow(inside, 'organization', {
          name: organization.name,
          npi: organization.npi,
          addresses: JSON.stringify(organization.addresses),
          ingestionEnabled: flag(organization.ingestionEnabled),
          ...policyChange(organization.activeContent),
          coversTokens: flag(organization.coversTokens ?? true),
          ...(organization.signatureRule && { signatureRule: organization.signatureRule }),
          allowsDelegation: flag(organization.allowsDelegation ?? false),
          timeZone: organization.timeZone ?? null,
          ...(organization.documents && { documents: organization.documents }),
          createdAt: at.toISOString(),
        })
        inside.audit({ action: 'organization.create', by, at, organizationId: id })
        return id
      }),

    async list(): Promise<Organization[]> {
      return (await db.selectFrom('organization').select(columns).orderBy('id').execute()).map(read)
    },

    async find(id: number): Promise<Organization | null> {
      const row = await db.selectFrom('organization').selectAll().where('id', '=', id).executeTakeFirst()
      const found = genuine(context, 'organization', row)
      return found && read(found)
    },

    async isActive(id: number): Promise<boolean> {
      const row = await db.selectFrom('organization').selectAll().where('id', '=', id).executeTakeFirst()
      return genuine(context, 'organization', row)?.isActive === 1
    },

    async findByName(name: string): Promise<Organization | null> {
      const row = await db.selectFrom('organization').selectAll().where('name', '=', name).executeTakeFirst()
      const found = genuine(context, 'organization', row)
      return found && read(found)
    },

    /**
     * An omitted member keeps its value. Refuses an NPI that another organization has. False when there is no such
     * organization.
     */
    update: (id: number, change: OrganizationChange, at: Date, by: Actor = OPERATOR): Promise<boolean> =>
      inTransaction(context, async (inside) => {
        const { isActive, ...rest } = change
        await mustBeFree(inside, rest.npi, id)
        const found = inside.db.selectFrom('organization').select('isActive').where('id', '=', id)
        const before = await (inside.locksRows ? found.forUpdate() : found).executeTakeFirst()
        if (!before) return false
        const columns = columnsOf(rest)
        const turns = isActive !== undefined && flag(isActive) !== before.isActive
        if (turns) inside.audit({ action: `organization.${isActive ? '' : 'de'}activate`, by, at, organizationId: id })
        if (Object.keys(columns).length > 0) inside.audit({ action: 'organization.update', by, at, organizationId: id })
        const changed = { ...columns, ...(turns && { isActive: flag(isActive) }) }
        if (Object.keys(changed).length > 0)
          await changeRows(inside, 'organization', (rows) => rows.where('id', '=', id), changed)
        if (rest.allowsDelegation === false || isActive === false)
          await endDelegations(inside, { organizationId: id }, { by, at })
        return true
      }),
  }
}

const columnsOf = ({
  npi,
  addresses,
  ingestionEnabled,
  activeContent,
  coversTokens,
  signatureRule,
  allowsDelegation,
  timeZone,
  documents,
}: Omit<OrganizationChange, 'isActive'>): Updateable<Schema['organization']> => ({
  ...(npi !== undefined && { npi }),
  ...(addresses !== undefined && { addresses: JSON.stringify(addresses) }),
  ...(ingestionEnabled !== undefined && { ingestionEnabled: flag(ingestionEnabled) }),
  ...policyChange(activeContent),
  ...(coversTokens !== undefined && { coversTokens: flag(coversTokens) }),
  ...(signatureRule && { signatureRule }),
  ...(allowsDelegation !== undefined && { allowsDelegation: flag(allowsDelegation) }),
  ...(timeZone !== undefined && { timeZone }),
  ...(documents && { documents }),
})
