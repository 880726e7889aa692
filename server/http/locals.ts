/** The data that a request carries through the pipeline. Types only. */
import type { Refusal } from '../domain/refusal.ts'
import type { Caller, OperatorCaller } from '../keys/keyring.ts'
import type { Visitor } from '../store/directory/people.ts'
import type { LongTexts } from './bodies/long-texts.ts'

declare global {
  namespace Express {
    interface Locals {
      requestId: string
      /** The route as written, `/api/v1/signature/tasks/:id`: all that a log line may carry of a URL. */
      loggedRoute?: string
      /** The statuses that the row declares. */
      declared?: readonly number[]
      /** The status for a key that is not accepted. Optional; 403 by default. */
      wrongKeyStatus?: 401 | 403
      /** The name of the row that is called. */
      operation?: string
      caller?: Caller
      /** The program of an operator or an administrator, known by its key. */
      operatorKey?: OperatorCaller
      /** The person who is signed in to the pages. */
      visitor?: Visitor
      /** Whether delegations that the visitor received count: not where one was changed without the master key. */
      mayStandIn?: boolean
      taskId?: number | undefined
      /** The planned fault of a sandbox that hit the request. */
      fault?: string
      /** The organization for which the control room of a sandbox acts. */
      organizationId?: number
      /** Returns the errors of a refusal as the caller reads them. Optional; they are told as they are by default. */
      wording?: (refusal: Pick<Refusal, 'kind' | 'errors' | 'plain'>) => readonly string[]
      /** Takes more room for a body that turns out to be this long. Throws `Busy` when there is none. */
      bodyGrew?: (bytes: number) => void
      /** Keeps the room of the body until the work on it is over, even when its sender has gone away. */
      bodyWhile?: <T>(work: Promise<T>) => Promise<T>
      /** Gives back the memory of the body, on which no one works any more. */
      freeBody?: () => void
      /** The long texts of the body, which are not in it. */
      longTexts?: LongTexts
      /** A document that is sent as Base64, in steps. */
      largeAnswer?: Uint8Array
    }
  }
}
