/** The context and results of the sender's operations: a parsed request in, the answer out. No HTTP, no SQL. */
import type { RequestOf, ResultOf } from '../../../lib/contract/calls.ts'
import type { OperationName } from '../../../lib/contract/operations.ts'
import type { HostProfile } from '../../../lib/profile/host-profile.ts'
import type { TargetPolicy } from '../../domain/delivery/target.ts'
import type { Caller } from '../../keys/keyring.ts'
import type { PdfPool } from '../../pdf/workers/pool.ts'
import type { OrganizationStore, Store } from '../../store/store.ts'

export interface SenderContext {
  /** Null for the one operation that needs no key. */
  caller: Caller | null
  /** Bound to the caller's organization: no statement through it can reach another one's rows. */
  store: OrganizationStore
  /** The parts of the store that all senders share. */
  shared: Pick<Store, 'documentTypes' | 'providers' | 'ping' | 'objects'>
  pdf: PdfPool
  /** The one reading of the clock for the whole request. */
  at: Date
  newId(): string
  newSecret(): Uint8Array
  /** Where callbacks may be sent. */
  targets: TargetPolicy
  /** Aborted when the service begins to stop. */
  stopping: AbortSignal
  /** Whether the caller has closed the connection, and waits for no answer any more. */
  isGone(): boolean
  /** How the service speaks to senders. */
  profile: HostProfile
  /** Returns the attachment as `pdf.inspect` takes it: a long one is not in the body itself. */
  attachmentOf(text: string): string | Uint8Array
  /** The Base64 of a document, or what represents it until the answer is sent. */
  asBase64(bytes: Uint8Array): string
  /** Tells the sender where the next page of a list is. */
  linkNext(query: Record<string, string | readonly string[]>): void
}

/** The `run` of a row. */
export type SenderRun<N extends OperationName> = (context: SenderContext, request: RequestOf<N>) => Promise<ResultOf<N>>
