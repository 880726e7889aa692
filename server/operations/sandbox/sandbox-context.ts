/** The context of the sandbox's operations. They concern the sender's own organization. */
import type { Actor } from '../../domain/audit.ts'
import type { Signing } from '../../signing/sign.ts'
import type { Directory, OrganizationStore, Store } from '../../store/store.ts'
import { rowsFor } from '../row.ts'
import type { Catchers } from './catchers.ts'
import type { ChosenScripts } from './chosen-scripts.ts'
import type { Faults } from './faults.ts'
import type { Orders } from './orders/orders.ts'
import type { Reviewing } from './reviewed-patients.ts'
import type { Scenarios } from './scenarios/progress.ts'
import type { Issuing } from './seed/apply-seed.ts'
import type { Snapshots } from './snapshots.ts'
import type { Traffic } from './traffic/traffic.ts'

/** Lets time pass for the whole service. */
export interface Time {
  readonly aheadMs: number
  now(): number
  /** Where it is being put forward to, in milliseconds since 1970; null while it is where it was sent. */
  readonly target: number | null
  /** Resolves when what became due is done, or when callers wait no longer; the clock continues to its target all the same. */
  advance(ms: number): Promise<void>
  /** Ends its way to the target where it is now. */
  stop(): void
  /** Puts it back to the real time. Resolves when nothing is under way; webhooks on their way are cut off. */
  goBack(): Promise<void>
  /** Returns when something is next due, in milliseconds since 1970; null when nothing is. */
  nextDue(): Promise<number | null>
  /** Resolves when nothing is under way and nothing is due now. */
  settle(): Promise<void>
}

export interface SandboxContext {
  organizationId: number
  by: Actor
  store: Pick<
    Store,
    | 'atOnce'
    | 'audit'
    | 'deliveries'
    | 'forOrganization'
    | 'hasTasksOfOthers'
    | 'keptSeed'
    | 'organizations'
    | 'providers'
    | 'reset'
    | 'restoreSnapshot'
    | 'signing'
    | 'startOver'
    | 'takeSnapshot'
  >
  signing: Signing
  time: Time
  faults: Faults
  reviewing: Reviewing
  scripts: ChosenScripts
  scenarios: Scenarios
  snapshots: Snapshots
  catchers: Catchers
  /** The address of this service followed by the path of its catchers. */
  catchUrl: string
  subscriptions: Pick<OrganizationStore['subscriptions'], 'create' | 'list' | 'remove'>
  /** Whether another organization has a subscription to this address. */
  isReceiverElsewhere(url: string): Promise<boolean>
  newSecret(): Uint8Array
  traffic: Traffic
  orders: Orders
  /** Returns how another organization sends sample orders. */
  ordersOf(organizationId: number): Orders
  /** Begins the ids of sample orders again. */
  countOrdersAgain(): void
  /** Returns what issues keys in a transaction of the store. */
  keyringIn(inside: Directory): Issuing
  /** The organizations in whose name the program around this service has a key. They stay when the sandbox starts over. */
  hosted: ReadonlySet<string>
  /** Whether the caller may reset what other organizations did: an operator may. */
  isOperator: boolean
  /** The last exchange before each lesson was switched on, by organization and name. */
  lessonsBegun: Map<string, number>
  /** Returns the senders for which the caller may act. */
  senders(): Promise<{ id: number; name: string }[]>
  at: Date
}

export const sandboxRow = rowsFor<SandboxContext>()
