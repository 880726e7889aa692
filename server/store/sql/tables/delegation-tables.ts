/** Who signs for whom, in which organization and how long. */
import type { Generated } from 'kysely'

export interface DelegationTables {
  delegation: {
    id: Generated<number>
    /** Only documents that this organization of the signer received. */
    organizationId: number
    signerNpi: string
    delegateNpi: string
    startsAt: string
    endsAt: string
    createdAt: string
    /** When it was ended before its time; null: it was not. */
    endedAt: string | null
    mac: string
  }
}
