/**
 * Keeps the state of outcomes on this side: which were sent into a flow, by which run and when, and which are recorded. Holds
 * ids and times only. All clients on one journal share it.
 */
import type { Journal } from '../../journal/journal.ts'
import { isDue, type OutcomeEntry, type Pace, recordedEntry, seenEntry, sentEntry } from './outcome-entry.ts'

export interface OutcomeLedger {
  /** Whether the outcome is to be sent now. Remembers when it was first asked about a task. */
  isDue(taskId: number, pace: Pace): Promise<boolean>
  /** Claims the outcome: of all callers at once, one gets how often it was sent before; the others get undefined. */
  take(taskId: number, pace: Pace): Promise<{ sentBefore: number } | undefined>
  /** Whether the outcome was noted as recorded. */
  isRecorded(taskId: number): Promise<boolean>
  /** Notes that the outcome is being sent, whether it is due or not. */
  sent(taskId: number): Promise<void>
  /** Notes that the outcome is recorded, or needs no recording. It is never due again. */
  recorded(taskId: number): Promise<void>
}

export interface OutcomeLedgerOptions {
  /** The journal, with a namespace that nothing else uses, for one service. */
  journal: Journal
  /** Names the process. What another run had sent ended with it, so it is due again. */
  run: string
  /** Optional; returns whether a process has ended. By default, every other one has. */
  hasEnded?: (run: string) => boolean
  /** Milliseconds since 1970. */
  now: () => number
}

/** How long an outcome is remembered after its last change, longer than anyone looks back. */
const REMEMBERED_MS = 400 * 86_400_000

export function createOutcomeLedger({
  journal,
  run,
  hasEnded = (other) => other !== run,
  now,
}: OutcomeLedgerOptions): OutcomeLedger {
  const change = (taskId: number, decide: (known: OutcomeEntry | undefined) => OutcomeEntry | undefined) =>
    journal.change<OutcomeEntry>(String(taskId), decide, REMEMBERED_MS)
  const self = () => ({ run, now: now(), hasEnded })

  return {
    async isDue(taskId, pace) {
      const by = self()
      const known = await change(taskId, (entry) => (entry ? undefined : seenEntry(by)))
      return isDue(known ?? seenEntry(by), pace, by)
    },
    async take(taskId, pace) {
      const by = self()
      const due = (entry: OutcomeEntry | undefined) => isDue(entry ?? seenEntry(by), pace, by)
      const known = await change(taskId, (entry) => (due(entry) ? sentEntry(entry, by) : undefined))
      return due(known) ? { sentBefore: known?.sentCount ?? 0 } : undefined
    },
    async isRecorded(taskId) {
      return (await journal.get<OutcomeEntry>(String(taskId)))?.isRecorded ?? false
    },
    async sent(taskId) {
      const by = self()
      await change(taskId, (entry) => sentEntry(entry, by))
    },
    async recorded(taskId) {
      const by = self()
      await change(taskId, (entry) => recordedEntry(entry, by))
    },
  }
}
