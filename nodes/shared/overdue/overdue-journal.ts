/** Remembers what an overdue node has emitted, in the journal of its service: of processes that share the journal, one sends each reminder. */
import type { By } from '../../../lib/client/unrecorded/outcome-entry.ts'
import { RUN } from '../runtime/run.ts'
import type { ServiceNode } from '../service/connection.ts'
import { claimed, emitted, isDue, type OverdueEntry, released, sentBefore, type Threshold } from './overdue-entry.ts'

export interface OverdueJournal {
  /** Returns what is known of a task. */
  read(taskId: number): Promise<OverdueEntry>
  /** Whether the reminder is to be sent, as far as the entry says. */
  isDue(entry: OverdueEntry, reminder: Threshold): boolean
  /** Claims a reminder: of all callers at once, one gets how often it was sent before; the others get undefined. */
  claim(taskId: number, reminder: Threshold): Promise<{ sentBefore: number } | undefined>
  /** Notes that a reminder is done with: it, and those before it, are never sent again. */
  emitted(taskId: number, reminder: Threshold): Promise<void>
  /** Gives up a claim whose reminder was not sent. */
  release(taskId: number, reminder: Threshold): Promise<void>
  /** Notes when a task was first seen. Returns when that was, in milliseconds since 1970. */
  seen(taskId: number): Promise<number>
  /** Keeps the facts of a message about a task. */
  note(taskId: number, sealed: string): Promise<void>
}

/** How long a task is remembered after the last change of its entry, longer than documents wait for a signature. */
const REMEMBERED_MS = 800 * 86_400_000

/** @param repeatMs after how long a reminder is sent again that the flow has not taken over */
export async function overdueJournal(
  service: Pick<ServiceNode, 'journal' | 'shared'>,
  nodeId: string,
  repeatMs: number,
): Promise<OverdueJournal> {
  const { shared } = service
  const run = shared?.run ?? RUN
  const journal = await service.journal(`overdue-${nodeId}`)
  const self = (): By => ({
    run,
    now: shared?.clock.now() ?? Date.now(),
    hasEnded: shared?.hasEnded ?? ((other) => other !== run),
  })
  const change = (taskId: number, decide: (entry: OverdueEntry) => OverdueEntry | undefined) =>
    journal.change<OverdueEntry>(String(taskId), (known) => decide(known ?? {}), REMEMBERED_MS)

  return {
    read: async (taskId) => (await journal.get<OverdueEntry>(String(taskId))) ?? {},
    isDue: (entry, reminder) => isDue(entry, reminder, repeatMs, self()),
    async claim(taskId, reminder) {
      const by = self()
      const due = (entry: OverdueEntry) => isDue(entry, reminder, repeatMs, by)
      const before = (await change(taskId, (entry) => (due(entry) ? claimed(entry, reminder, by) : undefined))) ?? {}
      return due(before) ? { sentBefore: sentBefore(before, reminder) } : undefined
    },
    async emitted(taskId, reminder) {
      await change(taskId, (entry) => emitted(entry, reminder))
    },
    async release(taskId, reminder) {
      await change(taskId, (entry) => released(entry, reminder, run))
    },
    async seen(taskId) {
      const { now } = self()
      const before = await change(taskId, (entry) =>
        entry.seenAt === undefined ? { ...entry, seenAt: now } : undefined,
      )
      return before?.seenAt ?? now
    },
    async note(taskId, sealed) {
      await change(taskId, (entry) => ({ ...entry, note: sealed }))
    },
  }
}
