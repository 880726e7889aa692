/** One round of a reconciler: looks once at each task that is not final, and hands over what changed. */
import type { Client } from '../client/client.ts'
import { RefusedError, UnauthorizedError } from '../client/errors.ts'
import type { Clock } from '../clock.ts'
import { utcTime } from '../contract/utc-time.ts'
import { missedChange } from './missed-change.ts'
import type { Receiver } from './receiver.ts'
import type { Change, TaskMemory } from './task-memory.ts'

/** State shared by the rounds of a reconciler. */
export interface Reconciling {
  client: Pick<Client, 'readTask'>
  receiver: Pick<Receiver, 'accept' | 'resume'>
  tasks: TaskMemory
  report: (error: unknown, taskId?: number) => void
  quietMs: number
  concurrency: number
  clock: Clock
}

/** Numbers of tasks. */
export interface Round {
  /** Read, or tried to. */
  looked: number
  /** The number of tasks with a change that no callback had reported. */
  changed: number
  /** The number of tasks whose look failed. */
  failed: number
}

/** Returns early when the signal is aborted, or when the service refuses the key. Rejects when the journal fails. */
export async function reconcile(reconciling: Reconciling, signal: AbortSignal): Promise<Round> {
  const { receiver, tasks, quietMs, concurrency, clock } = reconciling
  const round: Round = { looked: 0, changed: 0, failed: 0 }
  await receiver.resume()
  const open = tasks.open()[Symbol.asyncIterator]()
  let isRefused = false
  const looker = async () => {
    for (let next = await open.next(); !next.done && !isRefused; next = await open.next()) {
      if (signal.aborted) return
      const [taskId, last] = next.value
      if (clock.now() - utcTime(last.occurredAtUtc) < quietMs) continue
      round.looked++
      try {
        if (await look(reconciling, taskId, last, signal)) round.changed++
      } catch (failure) {
        if (signal.aborted) return
        round.failed++
        isRefused ||= failure instanceof UnauthorizedError
        await failed(reconciling, taskId, failure)
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, looker))
  return round
}

/** Returns whether a change was handed over. */
async function look(
  { client, receiver, clock }: Reconciling,
  taskId: number,
  last: Change,
  signal: AbortSignal,
): Promise<boolean> {
  const task = await client.readTask({ params: { id: taskId } }, { signal })
  if (task.status === last.status) return false
  return (await receiver.accept(missedChange(task, clock.now()), 'reconciler')) === 'accepted'
}

/** A task that the service does not know is not looked at again. */
async function failed({ tasks, report }: Reconciling, taskId: number, failure: unknown): Promise<void> {
  if (failure instanceof RefusedError && failure.status === 404) await tasks.forget(taskId).catch(report)
  report(failure, taskId)
}
