/**
 * The tasks that are waited for: in memory, and in the journal so that they outlive the process. Both change in one turn, one
 * turn at a time; otherwise an entry could outlive its wait and be taken up at the next start.
 */
import type { TaskStatus } from '../../contract/task/task.ts'
import type { Journal } from '../../journal/journal.ts'
import { createKeyLock } from '../../journal/key-lock.ts'
import type { WaitMeta } from './outcome.ts'

/** A wait as the journal keeps it. */
export interface WaitEntry {
  status: TaskStatus
  /** Milliseconds since 1970. */
  deadline?: number
  meta: WaitMeta
  /** How often the outcome was reported, which no one has acknowledged; omitted before the first time. */
  reports?: number
}

export interface Wait extends WaitEntry {
  /** Looks in a row that found nothing new. */
  looks: number
  /** Looks in a row at which the service knew no such task. */
  misses: number
  /** When the outcome was last reported since the wait began or was resumed, milliseconds since 1970. */
  reportedAt: number | undefined
}

export interface Waits {
  /** How many have no outcome yet. */
  readonly size: number
  /** How many have an outcome that was reported and not acknowledged. */
  readonly reported: number
  get(taskId: number): Wait | undefined
  /** All waits, in the order in which they began. */
  entries(): Iterable<[taskId: number, wait: Wait]>
  /** Notes when the outcome was reported, undefined when it was not after all; not when another wait has taken its place. */
  report(taskId: number, wait: Wait, at: number | undefined): void
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
  const reported = new Set<number>()
  const lock = createKeyLock()
  const inTurn = <T>(work: () => Promise<T>) => lock('journal', work)

  function begin(taskId: number, entry: WaitEntry): void {
    reported.delete(taskId)
    waits.set(taskId, { ...entry, looks: 0, misses: 0, reportedAt: undefined })
    onBegin(taskId)
  }

  function drop(taskId: number): boolean {
    reported.delete(taskId)
    return waits.delete(taskId)
  }

  return {
    get size() {
      return waits.size - reported.size
    },
    get reported() {
      return reported.size
    },
    get: (taskId) => waits.get(taskId),
    entries: () => waits.entries(),
    report(taskId, wait, at) {
      if (waits.get(taskId) !== wait) return
      wait.reportedAt = at
      if (at === undefined) reported.delete(taskId)
      else reported.add(taskId)
    },
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
        // Another process may have taken the wait over; what is not there any more is not written.
        if (waits.get(taskId) === wait)
          await journal.change<WaitEntry>(String(taskId), (known) => known && entryOf(wait))
      }),
    forget: (taskId, wait) =>
      inTurn(async () => {
        if (waits.get(taskId) !== wait) return
        drop(taskId)
        await journal.delete(String(taskId))
      }),
    cancel: (taskId) =>
      inTurn(async () => {
        const cancelled = (taskId === undefined ? [...waits.keys()] : [taskId]).filter(drop)
        for (const id of cancelled) onCancel(id)
        await journal.delete(cancelled.map(String))
        return cancelled
      }),
    clear() {
      reported.clear()
      waits.clear()
    },
  }
}

const entryOf = ({ status, deadline, meta, reports }: WaitEntry): WaitEntry => ({
  status,
  meta,
  ...(deadline !== undefined && { deadline }),
  ...(reports !== undefined && { reports }),
})
