/** A delegation as the pages show it. */
import * as z from 'zod'
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
