/**
 * Reads page content as far as to know that all readers come to the same operators with the same operands: where one of them
 * would skip an operator, another takes 0 for what is missing. Draws nothing. A drawing may have millions of numbers, so
 * these are only looked at.
 */
import { endOfRegular, isDigit, isRegular, skipBetween } from '../file/lexer.ts'
import { parseValue } from '../file/syntax.ts'
import { SyntaxProblem } from '../file/value.ts'
import { operandRules } from './content-operators.ts'
import { endOfInlineImage } from './inline-image.ts'
import type { Operands } from './operands.ts'
import type { ShownText } from './shown-text.ts'

const UNREADABLE = 'text or drawings that are not written as they should be'
const MAX_DIGITS = 40
/** The longest operator that anyone knows has three letters. */
const LONGEST = 3

/**
 * Reads one stream of content. Throws a `SyntaxProblem`.
 * @param operands those that earlier streams of the same page have left over; changed.
 * @param text is told each operator.
 */
export function readContent(content: Buffer, operands: Operands, text: ShownText): void {
  let at = skipBetween(content, 0)
  while (at < content.length) {
    const byte = content[at]!
    if (isNumeric(byte)) {
      operands.count++
      operands.numbers++
      const end = endOfNumber(content, at)
      operands.lastNumber = { content, start: at, end }
      at = skipBetween(content, end)
    } else if (isLetter(byte)) {
      const end = endOfRegular(content, at)
      const word = end - at > 5 ? '' : content.toString('latin1', at, end)
      if (word === 'true' || word === 'false' || word === 'null') push(operands)
      else {
        if (end - at <= LONGEST) checkOperands(word, operands)
        text.operator(word, operands)
        operands.last = null
        operands.count = 0
        operands.numbers = 0
      }
      at = skipBetween(content, word === 'BI' ? endOfInlineImage(content, end) : end)
    } else {
      push(operands)
      const value = parseValue(content, at)
      operands.last = { content, value }
      at = skipBetween(content, value.end)
    }
  }
}

function push(operands: Operands): void {
  operands.count++
  operands.numbers = 0
}

const isNumeric = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e

const isLetter = (byte: number): boolean =>
  (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x27 || byte === 0x22

/** Returns where the number ends: it has a sign and a point at most, and a digit at least. */
function endOfNumber(content: Buffer, from: number): number {
  let at = content[from] === 0x2b || content[from] === 0x2d ? from + 1 : from
  const start = at
  while (isDigit(content[at])) at++
  let digits = at - start
  if (content[at] === 0x2e) {
    const point = ++at
    while (isDigit(content[at])) at++
    digits += at - point
  }
  if (digits === 0 || digits > MAX_DIGITS || isRegular(content[at])) throw new SyntaxProblem(UNREADABLE)
  return at
}

function checkOperands(operator: string, operands: Operands): void {
  if (operator === 'q') operands.kept++
  // Some readers give back what was there before the page began.
  if (operator === 'Q' && --operands.kept < 0) throw new SyntaxProblem(UNREADABLE)
  const { count, numbers } = operands
  const rule = operandRules.get(operator)
  if (rule && (rule.isNumbers ? numbers : count) < rule.operands) throw new SyntaxProblem(UNREADABLE)
}
