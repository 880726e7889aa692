/** The bytes of page content: what its streams expand to, and all of them as one. */
import { decodePDFRawStream, type PDFRawStream } from 'pdf-lib'
import { inflate } from '../file/inflate.ts'
import { SyntaxProblem } from '../file/value.ts'

const MAX_EXPANDED = 32 * 1024 * 1024
const UNPACKED = 'content that only some readers can unpack'

/**
 * Returns the streams of a page as one. A producer may split them between any two tokens, also within an array, but not within a
 * text: viewers put different white space there. ISO 32000-1, 7.8.2.
 */
export function joinedContent(parts: readonly Buffer[]): Buffer {
  if (parts.length > 1 && !parts.every(endsBetweenTokens)) throw new SyntaxProblem('a text that does not end')
  return Buffer.concat(parts.flatMap((part) => [part, LINE_END]))
}

const LINE_END = Buffer.from('\n')

function endsBetweenTokens(part: Buffer): boolean {
  let at = 0
  while (at < part.length) {
    const byte = part[at]
    if (byte === 0x28) {
      let depth = 0
      do {
        if (part[at] === 0x5c) at++
        else if (part[at] === 0x28) depth++
        else if (part[at] === 0x29) depth--
        at++
      } while (depth > 0 && at < part.length)
      if (depth > 0) return false
    } else if (byte === 0x25) {
      while (at < part.length && part[at] !== 0x0a && part[at] !== 0x0d) at++
      if (at === part.length) return false
    } else if (byte === 0x3c && part[at + 1] !== 0x3c) {
      at = part.indexOf(0x3e, at)
      if (at < 0) return false
    } else at += byte === 0x3c ? 2 : 1
  }
  return true
}

/** Returns what the stream expands to. Throws a `SyntaxProblem` where only some readers could tell. */
export function dataOfStream(stream: PDFRawStream): Buffer {
  const filter = String(stream.dict.entries().find(([key]) => key.decodeText() === 'Filter')?.[1] ?? '')
  const hasParameters = stream.dict.entries().some(([key]) => key.decodeText() === 'DecodeParms')
  if (filter === '') return Buffer.from(stream.getContents())
  if (filter === '/FlateDecode' && !hasParameters) {
    const inflated = inflate(stream.getContents(), MAX_EXPANDED)
    if (typeof inflated === 'string') throw new SyntaxProblem(UNPACKED)
    return inflated
  }
  try {
    return Buffer.from(decodePDFRawStream(stream).decode())
  } catch {
    throw new SyntaxProblem(UNPACKED)
  }
}
