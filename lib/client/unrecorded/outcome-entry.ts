/**
 * The journal's entry of one outcome, and the time at which it is due again. Pure: time and the name of the run are arguments.
 */

/** Times are milliseconds since 1970. */
export interface OutcomeEntry {
  /** When the task was first found to have ended. */
  seenAt: number
  /** How often the outcome was sent. */
  sentCount: number
  /** When it was last sent, and by which run; null when it never was. */
  lastSent: { at: number; run: string } | null
  isRecorded: boolean
}

export interface Pace {
  /** When the task ended, as the host says; undefined when it does not say. */
  endedAt: number | undefined
  /** How long an outcome is left to those who wait for it. */
  quietMs: number
  /** After how long an outcome is sent again that is still not recorded. */
  repeatMs: number
}

export interface By {
  run: string
  now: number
  /** Whether a process has ended, and what it had sent with it. */
  hasEnded: (run: string) => boolean
}

/** Whether the outcome is to be sent now: not recorded, long enough over, and not on its way in a process that lives. */
export function isDue({ seenAt, lastSent, isRecorded }: OutcomeEntry, pace: Pace, { now, hasEnded }: By): boolean {
  const isOnItsWay = lastSent !== null && !hasEnded(lastSent.run) && now - lastSent.at < pace.repeatMs
  // A host whose clock is ahead must not hold its tasks back: it cannot have ended later than it was seen.
  const endedAt = Math.min(pace.endedAt ?? seenAt, seenAt)
  return !isRecorded && !isOnItsWay && now - endedAt >= pace.quietMs
}

export const seenEntry = ({ now }: Pick<By, 'now'>): OutcomeEntry => ({
  seenAt: now,
  sentCount: 0,
  lastSent: null,
  isRecorded: false,
})

export function sentEntry(known: OutcomeEntry | undefined, by: By): OutcomeEntry {
  const entry = known ?? seenEntry(by)
  return { ...entry, sentCount: entry.sentCount + 1, lastSent: { at: by.now, run: by.run } }
}

export const recordedEntry = (known: OutcomeEntry | undefined, by: By): OutcomeEntry => ({
  ...(known ?? seenEntry(by)),
  isRecorded: true,
})
