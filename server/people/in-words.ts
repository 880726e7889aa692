/** A time to wait, in words. */
export function inWords(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  return seconds < 60 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}
