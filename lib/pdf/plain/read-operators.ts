/** Reads page content into operators with their operands, each checked by the grammar. */
import { endOfRegular, isRegular, skipBetween } from '../file/lexer.ts'
import { parseValue } from '../file/syntax.ts'
import type { Value } from '../file/value.ts'
import { NotPlain } from './not-plain.ts'
import { OPERANDS, type Operand, type Operator, type Place, plainOperators, WHOLE } from './operators.ts'

/** An operator of the content. Its operands are of the number and kinds that the grammar asks for. */
export interface Operation {
  name: string
  numbers: readonly number[]
  /** The operands that are not numbers. */
  values: readonly Value[]
}

const NUMBER = /^[+-]?(?:\d{1,10}(?:\.\d{0,20})?|\.\d{1,20})$/
const OPERATOR = /^[A-Za-z'"]/
const MOST_OPERANDS = 8
/** In the order of the operands: a whole number, one with a point, and anything else. */
const [WHOLE_SIGN, POINT_SIGN, VALUE_SIGN] = ['0', '.', '/']

/** Throws a `NotPlain` or a `SyntaxProblem` at what is outside of the grammar. */
export function readOperators(content: Buffer, onOperation: (operation: Operation) => void): void {
  let numbers: number[] = []
  let values: Value[] = []
  let order = ''
  let place: Place = 'page'
  for (let at = skipBetween(content, 0); at < content.length; at = skipBetween(content, at)) {
    const end = isRegular(content[at]) ? endOfRegular(content, at) : at
    const word = end > at && end - at <= 32 ? content.toString('latin1', at, end) : ''
    if (NUMBER.test(word)) {
      numbers.push(Number(word))
      order += word.includes('.') ? POINT_SIGN : WHOLE_SIGN
      at = end
    } else if (OPERATOR.test(word)) {
      const operator = plainOperators.get(word)
      if (!operator) throw new NotPlain('drawing operators that only some viewers know')
      check(operator, place, numbers, values, order)
      place = placeAfter(word, place)
      onOperation({ name: word, numbers, values })
      numbers = []
      values = []
      order = ''
      at = end
    } else {
      const value = parseValue(content, at)
      values.push(value)
      order += VALUE_SIGN
      at = value.end
    }
    if (order.length > MOST_OPERANDS) throw new NotPlain(OPERANDS_WRONG)
  }
  if (place !== 'page' || order !== '') throw new NotPlain('page content that does not end')
}

const OPERANDS_WRONG = 'drawing operators with operands that viewers take differently'

function placeAfter(operator: string, place: Place): Place {
  if (operator === 'BT') return 'text'
  if (operator === 'ET') return 'page'
  if (operator === 'm' || operator === 're') return 'path'
  return PAINTING.has(operator) ? 'page' : place
}

/** They end a path. */
const PAINTING: ReadonlySet<string> = new Set('S s f F f* B B* b b* n'.split(' '))

function check(
  { places, operands }: Operator,
  place: Place,
  numbers: readonly number[],
  values: readonly Value[],
  order: string,
): void {
  if (!places.includes(place)) throw new NotPlain('drawing operators in a place where viewers take them differently')
  if (operands[0] === 'colors') {
    // How many there must be depends on the color space.
    if (values.length > 0 || !numbers.every((number) => isWithin(number, 'unit'))) throw new NotPlain(OPERANDS_WRONG)
    return
  }
  let [number, value] = [0, 0]
  const isRight = (kind: Operand, i: number): boolean =>
    typeof OPERANDS[kind] === 'string'
      ? order[i] === VALUE_SIGN && isOfKind(values[value++]!, kind)
      : isWritten(order[i], kind) && isWithin(numbers[number++]!, kind)
  if (order.length !== operands.length || !operands.every(isRight)) throw new NotPlain(OPERANDS_WRONG)
}

/** Poppler ignores an operator with `3.` in place of `3`. */
const isWritten = (sign: string | undefined, kind: Operand) =>
  sign === WHOLE_SIGN || (sign === POINT_SIGN && !WHOLE.has(kind))

function isWithin(number: number, kind: Operand): boolean {
  const [least, most] = OPERANDS[kind] as readonly [number, number]
  return number >= least && number <= most
}

function isOfKind(value: Value, kind: Operand): boolean {
  switch (kind) {
    case 'properties':
      return value.kind === 'name' || value.kind === 'dictionary'
    case 'texts':
      return value.kind === 'array' && value.items.every((item) => item.kind === 'text' || isShift(item))
    case 'dashes':
      return value.kind === 'array' && areDashes(value.items)
    default:
      return value.kind === kind
  }
}

/** Letters are shifted by thousandths of their size. */
const MOST_SHIFT = 32_000
const isShift = (item: Value) => item.kind === 'number' && Math.abs(item.value) <= MOST_SHIFT

/**
 * Some viewers draw dashes without length as dots, and others do not draw them. Of an odd number of lengths, PDFium makes the last one a
 * dash and a gap, where others begin again with dashes and gaps exchanged.
 */
const areDashes = (items: readonly Value[]) =>
  items.length <= 8 &&
  (items.length % 2 === 0 || items.length === 1) &&
  items.every((item) => item.kind === 'number' && item.value >= 0.05 && item.value <= 100_000)
