/** Where a PDF begins in a file that may have something of a mail or print system before it. Offsets inside a PDF count from there. */

const HEADER_WITHIN = 1024

/** Whether `%PDF-` is in the first 1,024 bytes: behind at most a few bytes of a mail or print system. */
export const hasHeader = (file: Uint8Array): boolean =>
  Buffer.from(file.buffer, file.byteOffset, Math.min(file.byteLength, HEADER_WITHIN)).includes('%PDF-', 0, 'latin1')

/** The offset of the only `%PDF-` in the first 1,024 bytes; null when there is none, or one more `%PDF` before or after it. */
export function headerOffset(file: Buffer): number | null {
  const head = file.subarray(0, HEADER_WITHIN + 4)
  const at = head.indexOf('%PDF', 0, 'latin1')
  const isHeader = at >= 0 && at < HEADER_WITHIN && file[at + 4] === 0x2d
  return isHeader && head.indexOf('%PDF', at + 4, 'latin1') < 0 ? at : null
}
