/** The time by the clock of the service: a sandbox puts it forward, and the clock of a computer may be wrong. */

let aheadMs = 0

/** Takes the time that an answer tells, ISO 8601; null when it tells none. */
export const heardTime = (at: string | null) => {
  if (at !== null) aheadMs = Date.parse(at) - Date.now()
}

/** Returns the time as far as it is known: that of the browser before the first answer. */
export const serviceTime = (): Date => new Date(Date.now() + aheadMs)
