/** Decodes the text of an attachment strictly. Does not look at what the bytes are. */
import { decodeBase64 } from '../../base64.ts'

export type Decoded = { ok: true; pdf: Buffer } | { ok: false; problem: string; tooLarge?: true }

/** Other systems wrap Base64 into lines, so ASCII white space is removed first, and nothing else. choice: Base64 in lines */
const WHITE_SPACE = [' ', '\t', '\n', '\f', '\r'] as const

/** Decodes Base64 that represents at most `maxBytes` bytes; returns what is wrong with any other text. */
export function decodeAttachment(base64: string, { maxBytes }: { maxBytes: number }): Decoded {
  const text = WHITE_SPACE.reduce((rest, space) => rest.replaceAll(space, ''), base64)
  if (text === '') return { ok: false, problem: 'empty' }
  // The last group may represent one byte only.
  if ((text.length / 4) * 3 - 2 > maxBytes) return tooLarge(maxBytes)
  const pdf = decodeBase64(text)
  if (!pdf) return { ok: false, problem: 'not Base64' }
  return pdf.length > maxBytes ? tooLarge(maxBytes) : { ok: true, pdf }
}

/**
 * Decodes what is between the quotes of a JSON string, in UTF-8. Without escapes and white space, as most senders write it,
 * it is decoded in steps, so that it takes no memory besides the result.
 */
export function decodeJsonAttachment(json: Uint8Array, { maxBytes }: { maxBytes: number }): Decoded {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength)
  if (IN_NEED_OF_PARSING.some((byte) => bytes.includes(byte))) return decodeParsed(bytes, maxBytes)
  if (bytes.length === 0) return { ok: false, problem: 'empty' }
  const filling = [2, 1].find((count) => bytes.subarray(-count).every((byte) => byte === EQUALS)) ?? 0
  const size = Math.max(0, Math.floor((bytes.length * 3) / 4) - filling)
  if (size > maxBytes) return tooLarge(maxBytes)
  const pdf = Buffer.allocUnsafeSlow(size)
  for (let at = 0; at < bytes.length; at += STEP) {
    const decoded = decodeBase64(bytes.toString('latin1', at, at + STEP))
    if (!decoded) return { ok: false, problem: 'not Base64' }
    decoded.copy(pdf, (at / 4) * 3)
  }
  return { ok: true, pdf }
}

const EQUALS = 0x3d

/** A backslash, and white space: all but the blank must be escaped in JSON. */
const IN_NEED_OF_PARSING = Buffer.from('\\ \t\n\f\r')
/** Characters; whole groups of four. */
const STEP = 512 * 1024

function decodeParsed(json: Buffer, maxBytes: number): Decoded {
  try {
    return decodeAttachment(JSON.parse(`"${json}"`) as string, { maxBytes })
  } catch {
    return { ok: false, problem: 'not a JSON string' }
  }
}

/** Whether a text is too long for the limit, even with a line break after every fourth character: a look before any decoding. */
export const isHopelesslyLong = (base64: string | Uint8Array, maxBytes: number): boolean =>
  base64.length > 2 * maxBytes + 1024

/** The answer for an attachment above the limit. */
export const tooLarge = (maxBytes: number) =>
  ({ ok: false, problem: `larger than ${maxBytes} bytes`, tooLarge: true }) as const
