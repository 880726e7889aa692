/** The context of the sandbox's operations. They concern the sender's own organization. */
import type { Actor } from '../../domain/audit.ts'
import type { Signing } from '../../signing/sign.ts'
import type { Store } from '../../store/store.ts'
import { rowsFor } from '../row.ts'
import type { Faults } from './faults.ts'
import type { Reviewing } from './reviewed-patients.ts'

/** Lets time pass for the whole service. */
export interface Time {
  readonly aheadMs: number
  now(): number
  /** Where it is being put forward to, in milliseconds since 1970; null while it is where it was sent. */
  readonly target: number | null
  /** Resolves when what became due is done, or when callers wait no longer; the clock continues to its target all the same. */
  advance(ms: number): Promise<void>
  /** Resolves when nothing is under way and nothing is due now. */
  settle(): Promise<void>
}

export interface SandboxContext {
  organizationId: number
  by: Actor
  store: Pick<Store, 'audit' | 'deliveries' | 'reset' | 'signing'>
  signing: Signing
  time: Time
  faults: Faults
  reviewing: Reviewing
  at: Date
}

export const sandboxRow = rowsFor<SandboxContext>()
