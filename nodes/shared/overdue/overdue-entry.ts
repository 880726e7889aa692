/**
 * The journal's entry of one task of an overdue node: which reminders were emitted, and which are on their way. Pure: time and the name of
 * the run are arguments.
 */
import type { By } from '../../../lib/client/unrecorded/outcome-entry.ts'
import { isLater, type Kind } from './reminders.ts'

export interface OverdueEntry {
  /** When the task was first seen, in milliseconds since 1970; noted where the host does not say when it was created. */
  seenAt?: number
  /** Facts about the task that a message had, encrypted. */
  note?: string
  /** By kind, the threshold that was emitted last. Those before it count as emitted. */
  emitted?: Partial<Record<Kind, number>>
  /** By kind, the reminder that was sent into the flow and that the flow has not taken over yet. */
  underWay?: Partial<Record<Kind, UnderWay>>
}

export interface UnderWay {
  threshold: number
  /** How often it was sent. */
  sentCount: number
  /** When it was last sent, in milliseconds since 1970. */
  at: number
  run: string
}

export interface Threshold {
  kind: Kind
  threshold: number
}

/** Whether the reminder is to be sent now: neither it nor a later one was emitted, and it is not on its way in a process that lives. */
export function isDue(entry: OverdueEntry, { kind, threshold }: Threshold, repeatMs: number, by: By): boolean {
  const emitted = entry.emitted?.[kind]
  if (emitted !== undefined && !isLater(kind, threshold, emitted)) return false
  const underWay = entry.underWay?.[kind]
  if (!underWay || isLater(kind, threshold, underWay.threshold)) return true
  if (threshold !== underWay.threshold) return false
  return by.hasEnded(underWay.run) || by.now - underWay.at >= repeatMs
}

/** Returns the entry of a task whose reminder this run sends. */
export function claimed(entry: OverdueEntry, { kind, threshold }: Threshold, { now, run }: By): OverdueEntry {
  const sentCount = sentBefore(entry, { kind, threshold }) + 1
  return { ...entry, underWay: { ...entry.underWay, [kind]: { threshold, sentCount, at: now, run } } }
}

/** Returns how often a reminder was sent before. */
export function sentBefore(entry: OverdueEntry, { kind, threshold }: Threshold): number {
  const underWay = entry.underWay?.[kind]
  return underWay?.threshold === threshold ? underWay.sentCount : 0
}

/** Returns the entry of a task whose reminder was emitted; undefined when it, or a later one, was emitted before. */
export function emitted(entry: OverdueEntry, { kind, threshold }: Threshold): OverdueEntry | undefined {
  const last = entry.emitted?.[kind]
  if (last !== undefined && !isLater(kind, threshold, last)) return undefined
  const { [kind]: underWay, ...others } = entry.underWay ?? {}
  const isOver = !underWay || !isLater(kind, underWay.threshold, threshold)
  return {
    ...entry,
    emitted: { ...entry.emitted, [kind]: threshold },
    underWay: isOver ? others : { ...others, [kind]: underWay },
  }
}

/** Returns the entry of a task whose reminder this run has claimed and not sent; undefined when it is not this run's any more. */
export function released(entry: OverdueEntry, { kind, threshold }: Threshold, run: string): OverdueEntry | undefined {
  const { [kind]: underWay, ...others } = entry.underWay ?? {}
  if (underWay?.threshold !== threshold || underWay.run !== run) return undefined
  return { ...entry, underWay: others }
}
