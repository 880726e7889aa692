/** Whether bytes, or characters, are one whole PDF. One rule for every kind of message. Pure. */

/** A PDF as Base64 without blanks, or what is wrong. */
export type WholePdf = { ok: true; base64: string; bytes: Uint8Array } | { ok: false; reason: string }

/** Where PDFs begin, after what some programs write before that. */
const HEAD_BYTES = 1024
const END = '%%EOF'
export const NOT_A_PDF = 'is not a PDF'

/** Reads Base64 in all its spellings: with line breaks, without padding, for URLs, in a `data:` URL. */
export function pdfInBase64(text: string): WholePdf {
  const digits = digitsIn(text)
  if (!/^[A-Za-z0-9+/]*$/.test(digits)) return { ok: false, reason: 'holds characters that are not Base64' }
  if (digits.length % 4 === 1) return { ok: false, reason: 'is Base64 that was cut off' }
  return pdfInBytes(Buffer.from(digits, 'base64'))
}

/** Returns the bytes of Base64, as they came. */
export const bytesIn = (text: string): Buffer => Buffer.from(digitsIn(text), 'base64')

const digitsIn = (text: string): string =>
  text
    .replace(/^\s*data:[^,]*;base64,/i, '')
    .replace(/[\s\0\uFEFF]+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '')

/** Drops byte order marks and blanks before the PDF, which would move its offsets. */
export function pdfInBytes(given: Uint8Array): WholePdf {
  const all = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  const begin = all.subarray(0, HEAD_BYTES).indexOf('%PDF-')
  if (begin < 0) return { ok: false, reason: NOT_A_PDF }
  const isBlank = all.subarray(0, begin).every((byte) => [0, 9, 10, 12, 13, 32, 0xef, 0xbb, 0xbf].includes(byte))
  const bytes = isBlank ? all.subarray(begin) : all
  const reason = problemOf(bytes)
  return reason === null ? { ok: true, base64: bytes.toString('base64'), bytes } : { ok: false, reason }
}

function problemOf(bytes: Buffer): string | null {
  const end = bytes.lastIndexOf(END)
  if (end < 0) return 'is a PDF without its end'
  const after = bytes.subarray(end + END.length)
  if (after.some((byte) => ![0, 9, 10, 12, 13, 26, 32].includes(byte)))
    return after.includes('%PDF-') ? 'is a second PDF after the first' : 'is a PDF with other bytes after its end'
  const [, length] = /\/Linearized\b[^>]*?\/L\s+(\d+)/.exec(bytes.subarray(0, HEAD_BYTES).toString('latin1')) ?? []
  const [, start] = /startxref\s+(\d+)\s*$/.exec(bytes.subarray(Math.max(0, end - 64), end).toString('latin1')) ?? []
  if (Number(length ?? 0) > bytes.length || Number(start ?? 0) > bytes.length) return 'is a PDF without its end'
  return hasSecond(bytes) ? 'holds a second PDF after the first' : null
}

/** Whether a PDF begins after the end of another one, with no object between. Attached PDFs are within an object. */
function hasSecond(bytes: Buffer): boolean {
  for (let at = bytes.indexOf('%PDF-', bytes.indexOf(END)); at >= 0; at = bytes.indexOf('%PDF-', at + 1)) {
    const end = bytes.lastIndexOf(END, at)
    if (end >= 0 && !/\bobj\b|\bstream\b/.test(bytes.subarray(end, at).toString('latin1'))) return true
  }
  return false
}
