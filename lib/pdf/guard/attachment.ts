/** From the text of an attachment to bytes, strictly. Does not look at what the bytes are. */
import { decodeBase64 } from '../../base64.ts'

export type Decoded = { ok: true; pdf: Buffer } | { ok: false; problem: string; tooLarge?: true }

/** Other systems wrap Base64 into lines, so ASCII white space is removed first, and nothing else. choice: Base64 in lines */
const WHITE_SPACE = [' ', '\t', '\n', '\f', '\r'] as const

/** Decodes Base64 that stands for at most `maxBytes` bytes; returns what is wrong with any other text. */
export function decodeAttachment(base64: string, { maxBytes }: { maxBytes: number }): Decoded {
  const text = WHITE_SPACE.reduce((rest, space) => rest.replaceAll(space, ''), base64)
  if (text === '') return { ok: false, problem: 'empty' }
  // The last group may stand for one byte only.
  if ((text.length / 4) * 3 - 2 > maxBytes) return tooLarge(maxBytes)
  const pdf = decodeBase64(text)
  if (!pdf) return { ok: false, problem: 'not Base64' }
  return pdf.length > maxBytes ? tooLarge(maxBytes) : { ok: true, pdf }
}

/** Whether a text is too long for the limit, even with a line break after every fourth character: a look before any decoding. */
export const isHopelesslyLong = (base64: string, maxBytes: number): boolean => base64.length > 2 * maxBytes + 1024

/** The answer for an attachment above the limit. */
export const tooLarge = (maxBytes: number) =>
  ({ ok: false, problem: `larger than ${maxBytes} bytes`, tooLarge: true }) as const
