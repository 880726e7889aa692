/** Reads page content as loosely as is enough to count what it draws. Numbers are skipped: a drawing may have millions of them. */
import { endOfRegular, isRegular, skipBetween } from '../file/lexer.ts'
import { parseValue } from '../file/syntax.ts'
import type { Value } from '../file/value.ts'

/**
 * Throws a `SyntaxProblem` where texts or arrays do not end.
 * @param onOperator called with each operator, and the last of its operands that is not a number
 */
export function readLoosely(content: Buffer, onOperator: (word: string, last: Value | null) => void): void {
  let last: Value | null = null
  for (let at = skipBetween(content, 0); at < content.length; at = skipBetween(content, at)) {
    if (!isRegular(content[at])) {
      last = parseValue(content, at)
      at = last.end
      continue
    }
    const end = endOfRegular(content, at)
    if (!isNumeric(content[at]!)) {
      const word = end - at <= LONGEST ? content.toString('latin1', at, end) : ''
      onOperator(word, last)
      last = null
      if (word === 'BI') {
        at = endOfPicture(content, end)
        continue
      }
    }
    at = end
  }
}

/** In letters. */
const LONGEST = 3

const isNumeric = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e

/** Returns where a picture within the content ends: at the first `EI` that is a word. */
function endOfPicture(content: Buffer, from: number): number {
  for (let at = content.indexOf('EI', from, 'latin1'); at >= 0; at = content.indexOf('EI', at + 1, 'latin1')) {
    if (!isRegular(content[at - 1]) && !isRegular(content[at + 2])) return at + 2
  }
  return content.length
}
