/**
 * A file made for slow lines names its first page, and its own length, in its first object. Readers believe the name as long
 * as the length is right, without looking into the page tree.
 */
import { skipBetween } from '../file/lexer.ts'
import { objectHeadAt, parseValue } from '../file/syntax.ts'
import { countOf, entryOf } from '../file/value.ts'
import type { PageTree } from './page-tree.ts'

/** Returns a description of the error, or null. */
export function linearizationProblem(pdf: Buffer, { pages }: PageTree): string | null {
  const head = objectHeadAt(pdf, skipBetween(pdf, 0))
  const value = head && parseValue(pdf, head.end)
  if (!entryOf(value, 'Linearized')) return null
  const stated = entryOf(value, 'P')
  const first = stated === undefined ? 0 : countOf(stated)
  const length = countOf(entryOf(value, 'L'))
  const isTrue = first !== null && countOf(entryOf(value, 'O')) === pages[first]
  // A length that the file will have only once it is signed would make readers follow its hints only then.
  return isTrue && length !== null && length <= pdf.length ? null : 'a first object that contradicts its page tree'
}
