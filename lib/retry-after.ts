/** Reads the header Retry-After. Pure. */

/**
 * Returns the milliseconds to wait. The header holds seconds or a date; null when it holds neither, or a time that has passed.
 * @param at what a date is measured from, in milliseconds since 1970: best the sender's clock, in its header Date
 */
export function retryAfterMs(header: unknown, at: number): number | null {
  if (typeof header !== 'string') return null
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - at
  return Number.isFinite(ms) && ms > 0 ? ms : null
}
