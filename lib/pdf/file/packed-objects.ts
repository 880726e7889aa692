/** Reads the objects that an object stream holds. ISO 32000-1, 7.5.7. */
import { skipWhiteSpace, wholeNumberAt } from './lexer.ts'
import { parseValue } from './syntax.ts'
import { type IndirectObject, SyntaxProblem } from './value.ts'

const UNLISTED = 'packed objects without a list of them'

/**
 * Returns the objects in the order of their list. Some readers cut each object where the next begins, so objects must lie
 * apart and in order; otherwise throws a `SyntaxProblem`.
 * @param bytes the unpacked stream
 * @param count how many there are, by the stream's `/N`
 * @param first where the first of them may begin, by the stream's `/First`
 */
export function packedObjects(bytes: Buffer, count: number | null, first: number | null): IndirectObject[] {
  if (count === null || first === null || first > bytes.length) throw new SyntaxProblem(UNLISTED)
  const found = new Map<number, IndirectObject>()
  let at = skipWhiteSpace(bytes, 0)
  let free = first
  for (let i = 0; i < count; i++) {
    const number = wholeNumberAt(bytes, at)
    const offset = number && wholeNumberAt(bytes, skipWhiteSpace(bytes, number.end))
    if (!number || !offset || offset.end > first || first + offset.value < free || found.has(number.value)) {
      throw new SyntaxProblem(UNLISTED)
    }
    const value = parseValue(bytes, first + offset.value)
    const { start, end } = value
    found.set(number.value, { number: number.value, generation: 0, value, data: null, bytes, start, end })
    free = end
    at = skipWhiteSpace(bytes, offset.end)
  }
  return [...found.values()]
}
