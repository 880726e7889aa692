/** The delegations themselves: made by signers, ended by either side, by an operator, or with what they rest on. */
import { type Delegation, overlap } from '../../domain/delegation.ts'
import { Refusal } from '../../domain/refusal.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { type DelegationChange, endDelegations } from '../delegation/ended-delegations.ts'
import { signersIn } from '../delegation/standing-in.ts'
import { watchBeginnings } from '../notices/begun-delegations.ts'
import { oweNoticeTo } from '../notices/owing.ts'
import { joined, whole } from '../rows/row-macs.ts'
import { addNewRow } from '../rows/write-rows.ts'

export interface StoredDelegation extends Omit<Delegation, 'startsAt' | 'endsAt'> {
  id: number
  organization: string
  /** Names that they sign with. */
  signer: string
  delegate: string
  /** ISO 8601, UTC. */
  startsAt: string
  endsAt: string
}

/** Someone who can sign for a signer in an organization. */
export interface Colleague {
  npi: string
  name: string
  organizationId: number
  organization: string
}

/** The delegations given or received by a signer, of an organization, or of all. */
export type DelegationsOf = { npi: string } | { organizationId: number } | 'all'

export const delegations = (context: StoreContext) => ({
  /** Returns the delegations that hold or are still to come, the first to begin first. */
  list: (of: DelegationsOf, at: Date): Promise<StoredDelegation[]> =>
    open(context, of, at).orderBy('d.startsAt').execute(),

  /**
   * Whether every delegation that a signer received, and the organization that allows it, is as the service wrote it. Where one
   * is not, the signer signs for no one.
   */
  async areGenuine(delegateNpi: string): Promise<boolean> {
    const rows = await context.db
      .selectFrom('delegation as d')
      .innerJoin('organization as o', 'o.id', 'd.organizationId')
      .select(whole('delegation', 'd'))
      .select(whole('organization', 'o'))
      .where('d.delegateNpi', '=', delegateNpi)
      .where('d.endedAt', 'is', null)
      .execute()
    const wrong = rows.filter((row) => !joined(context, 'delegation', row) || !joined(context, 'organization', row))
    return wrong.length === 0
  },

  /** Who can sign for a signer, where delegations are allowed. */
  colleagues: (npi: string): Promise<Colleague[]> => colleagues(context, npi),

  /** Refuses with `conflict` where the colleague cannot sign there, or does so already at that time. */
  async create(delegation: Delegation, change: DelegationChange): Promise<number> {
    const id = await inTransaction(context, (inside) => insert(inside, delegation, change))
    // Open inboxes look what waits for them now.
    context.announce('event')
    return id
  },

  /** Ends one at once. False when there is none that could be ended. */
  async end(id: number, of: DelegationsOf, change: DelegationChange): Promise<boolean> {
    const isEnded = await inTransaction(context, async (inside) => {
      const found = await open(inside, of, change.at).where('d.id', '=', id).executeTakeFirst()
      return found !== undefined && (await endDelegations(inside, { id }, change)) > 0
    })
    context.announce('event')
    return isEnded
  },
})

const open = ({ db }: StoreContext, of: DelegationsOf, at: Date) => {
  const found = db
    .selectFrom('delegation as d')
    .innerJoin('organization as o', 'o.id', 'd.organizationId')
    .innerJoin('provider as s', 's.npi', 'd.signerNpi')
    .innerJoin('provider as c', 'c.npi', 'd.delegateNpi')
    .select(['d.id', 'd.organizationId', 'd.signerNpi', 'd.delegateNpi', 'd.startsAt', 'd.endsAt'])
    .select(['o.name as organization', 's.signingName as signer', 'c.signingName as delegate'])
    .where('d.endedAt', 'is', null)
    .where('d.endsAt', '>', at.toISOString())
  if (of === 'all') return found
  return 'npi' in of
    ? found.where(({ eb, or }) => or([eb('d.signerNpi', '=', of.npi), eb('d.delegateNpi', '=', of.npi)]))
    : found.where('d.organizationId', '=', of.organizationId)
}

const colleagues = ({ db }: StoreContext, npi: string): Promise<Colleague[]> =>
  signersIn(db)
    .select(['p.npi', 'p.signingName as name', 'o.id as organizationId', 'o.name as organization'])
    .where('o.allowsDelegation', '=', 1)
    .where('p.npi', '<>', npi)
    .where('o.id', 'in', (from) => signersIn(from).select('o.id').where('p.npi', '=', npi))
    .orderBy('p.signingName')
    .orderBy('o.name')
    .execute()

async function insert(
  inside: TransactionContext,
  delegation: Delegation,
  { by, at }: DelegationChange,
): Promise<number> {
  const { organizationId, signerNpi, delegateNpi, startsAt, endsAt } = delegation
  const offered = await colleagues(inside, signerNpi)
  if (!offered.some((one) => one.npi === delegateNpi && one.organizationId === organizationId))
    throw new Refusal('conflict', 'This colleague cannot sign for you there. Load the page again, and choose another.')
  const given = await open(inside, { npi: signerNpi }, at).where('d.delegateNpi', '=', delegateNpi).execute()
  const same = given.filter((one) => one.signerNpi === signerNpi && one.organizationId === organizationId)
  if (same.some((one) => overlap(delegation, { startsAt: new Date(one.startsAt), endsAt: new Date(one.endsAt) })))
    throw new Refusal('conflict', 'This colleague signs for you already during that time. End that first.')
  const times = { startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString(), createdAt: at.toISOString() }
  const row = await addNewRow(inside, 'delegation', { organizationId, signerNpi, delegateNpi, ...times })
  if (startsAt <= at) await oweNoticeTo(inside, [delegateNpi], at)
  else await watchBeginnings(inside, delegateNpi, at)
  inside.audit({ action: 'delegation.create', by, at, organizationId, subject: row.id })
  return row.id
}
