/** What the header Retry-After asks for. Pure. */

/**
 * Milliseconds from `at` (since 1970): the header holds seconds, or a date of HTTP. Null when it says nothing of use, as a time
 * that is over. A date is best measured against the sender's clock, its header Date.
 */
export function retryAfterMs(header: unknown, at: number): number | null {
  if (typeof header !== 'string') return null
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - at
  return Number.isFinite(ms) && ms > 0 ? ms : null
}
