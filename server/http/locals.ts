/** What travels with a request from one step of the pipeline to the next. Types only. */
import type { Caller, OperatorCaller } from '../keys/keyring.ts'
import type { Visitor } from '../store/directory/people.ts'

declare global {
  namespace Express {
    interface Locals {
      requestId: string
      /** The route as written, `/api/v1/signature/tasks/:id`: all that a log line may carry of a URL. */
      loggedRoute?: string
      /** The statuses that the row declares. */
      declared?: readonly number[]
      /** The name of the row that is called. */
      operation?: string
      caller?: Caller
      /** The program of an operator or an administrator, known by its key. */
      operatorKey?: OperatorCaller
      /** The person who is signed in to the pages. */
      visitor?: Visitor
      taskId?: number | undefined
      /** Keeps the room of the body until the work on it is over, even when its sender has gone away. */
      bodyWhile?: <T>(work: Promise<T>) => Promise<T>
    }
  }
}
