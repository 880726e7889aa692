/**
 * Reads page content as far as to know that all readers come to the same operators with the same operands: where one of them
 * would skip an operator, another takes 0 for what is missing. Draws nothing.
 */
import { endOfRegular, skipBetween } from '../file/lexer.ts'
import { parseValue } from '../file/syntax.ts'
import { SyntaxProblem } from '../file/value.ts'
import { wantedBy } from './content-operators.ts'
import { endOfInlineImage } from './inline-image.ts'

const UNREADABLE = 'text or drawings that are not written as they should be'

/** Whether an operand is a number, in the order in which they stand. */
export type Operands = boolean[]

/**
 * Reads one stream of content. Throws a `SyntaxProblem`.
 * @param operands those that earlier streams of the same page have left over; changed.
 */
export function readContent(content: Buffer, operands: Operands): void {
  let at = skipBetween(content, 0)
  while (at < content.length) {
    const byte = content[at]!
    if (isOperator(byte)) {
      const end = endOfRegular(content, at)
      if (end === at) throw new SyntaxProblem(UNREADABLE)
      const word = content.toString('latin1', at, Math.min(end, at + 16))
      if (word === 'true' || word === 'false' || word === 'null') operands.push(false)
      else {
        checkOperands(word, operands)
        operands.length = 0
      }
      at = skipBetween(content, word === 'BI' ? endOfInlineImage(content, end) : end)
    } else {
      const value = parseValue(content, at)
      operands.push(value.kind === 'number')
      at = skipBetween(content, value.end)
    }
  }
}

/** Not a number, a name, a text, an array or a dictionary. */
const isOperator = (byte: number): boolean =>
  (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x27 || byte === 0x22

function checkOperands(operator: string, operands: Operands): void {
  const wanted = wantedBy.get(operator)
  if (!wanted) return
  const last = operands.slice(-wanted.operands)
  const isEnough = operands.length >= wanted.operands && !(wanted.isNumbers && last.includes(false))
  if (!isEnough) throw new SyntaxProblem(UNREADABLE)
}
