/**
 * The tasks that are waited for: in memory, and in the journal so that they outlive the process. Both change in one turn, one
 * turn at a time; otherwise an entry could outlive its wait and be taken up at the next start.
 */
import type { TaskStatus } from '../../contract/task/task.ts'
import type { Journal } from '../../journal/journal.ts'
import { createKeyLock } from '../../journal/key-lock.ts'
import type { WaitMeta } from './outcome.ts'

/** As the journal keeps it. */
export interface WaitEntry {
  status: TaskStatus
  /** Milliseconds since 1970. */
  deadline?: number
  meta: WaitMeta
}

export interface Wait extends WaitEntry {
  /** Looks in a row that found nothing new. */
  looks: number
  /** Looks in a row at which the service knew no such task. */
  misses: number
}

export interface Waits {
  readonly size: number
  get(taskId: number): Wait | undefined
  /** All waits, in the order in which they began. */
  entries(): Iterable<[taskId: number, wait: Wait]>
  /** Takes up the entries of the journal; returns how many. Stops early when the signal is aborted. */
  resume(signal: AbortSignal): Promise<number>
  /** Replaces an earlier wait for the task. Resolves when the wait is on the disk. */
  add(taskId: number, entry: WaitEntry): Promise<void>
  /** Writes a changed wait to the journal, unless another has taken its place. */
  save(taskId: number, wait: Wait): Promise<void>
  /** Forgets a wait, unless another has taken its place. */
  forget(taskId: number, wait: Wait): Promise<void>
  /** Forgets the wait for a task, or all; returns the tasks. */
  cancel(taskId?: number): Promise<number[]>
  /** Empties the memory and keeps the journal. */
  clear(): void
}

export interface WaitsOptions {
  journal: Journal
  /** Called in the turn in which a wait begins. */
  onBegin: (taskId: number) => void
  /** Called in the turn in which a wait is cancelled. */
  onCancel: (taskId: number) => void
}

export function createWaits({ journal, onBegin, onCancel }: WaitsOptions): Waits {
  const waits = new Map<number, Wait>()
  const lock = createKeyLock()
  const inTurn = <T>(work: () => Promise<T>) => lock('journal', work)

  function begin(taskId: number, entry: WaitEntry): void {
    waits.set(taskId, { ...entry, looks: 0, misses: 0 })
    onBegin(taskId)
  }

  return {
    get size() {
      return waits.size
    },
    get: (taskId) => waits.get(taskId),
    entries: () => waits.entries(),
    async resume(signal) {
      let count = 0
      for await (const [key, entry] of journal.entries<WaitEntry>()) {
        if (signal.aborted) break
        if (waits.has(Number(key))) continue
        begin(Number(key), entry)
        count++
      }
      return count
    },
    add: (taskId, entry) =>
      inTurn(async () => {
        await journal.set(String(taskId), entry)
        begin(taskId, entry)
      }),
    save: (taskId, wait) =>
      inTurn(async () => {
        if (waits.get(taskId) === wait) await journal.set(String(taskId), entryOf(wait))
      }),
    forget: (taskId, wait) =>
      inTurn(async () => {
        if (waits.get(taskId) !== wait) return
        waits.delete(taskId)
        await journal.delete(String(taskId))
      }),
    cancel: (taskId) =>
      inTurn(async () => {
        const cancelled = (taskId === undefined ? [...waits.keys()] : [taskId]).filter((id) => waits.delete(id))
        for (const id of cancelled) onCancel(id)
        await journal.delete(cancelled.map(String))
        return cancelled
      }),
    clear: () => waits.clear(),
  }
}

const entryOf = ({ status, deadline, meta }: WaitEntry): WaitEntry => ({
  status,
  meta,
  ...(deadline !== undefined && { deadline }),
})
