/** Delegations as the pages show and take them. */
import * as z from 'zod'
import { id, Npi } from '../../lib/contract/primitives.ts'
import type { StoredDelegation } from '../store/inbox/delegations.ts'

export const Delegation = z.object({
  id: z.int(),
  organization: z.string(),
  /** Names that they sign with. */
  signer: z.string(),
  delegate: z.string(),
  /** ISO 8601, UTC. */
  startsAt: z.string(),
  endsAt: z.string(),
})
export type Delegation = z.infer<typeof Delegation>

const Colleague = z.object({
  npi: z.string(),
  name: z.string(),
  organizationId: z.int(),
  organization: z.string(),
})

export const Delegations = z.object({
  /** Whom the caller may choose, once for each organization that both belong to; none where no organization allows it. */
  colleagues: z.array(Colleague),
  /** Who signs for the caller, now or later. */
  given: z.array(Delegation),
  /** The delegations by which the user signs for others. */
  received: z.array(Delegation),
})
export type Delegations = z.infer<typeof Delegations>

const time = (what: string) => z.iso.datetime({ error: `${what}: a time in UTC, such as 2026-03-01T07:00:00Z` })

export const DelegationBody = z.object({
  delegateNpi: Npi,
  organizationId: id(),
  startsAt: time('startsAt'),
  endsAt: time('endsAt'),
})
export type DelegationBody = z.input<typeof DelegationBody>

export const shownDelegation = ({
  id,
  organization,
  signer,
  delegate,
  startsAt,
  endsAt,
}: StoredDelegation): Delegation => ({
  id,
  organization,
  signer,
  delegate,
  startsAt,
  endsAt,
})
