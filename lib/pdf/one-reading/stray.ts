/** What must not lie about in a file, although its cross-reference is whole: entries that lead astray, words after the end. */
import type { CrossReference } from '../file/cross-reference.ts'
import { skipWhiteSpace } from '../file/lexer.ts'
import { objectHeadAt } from '../file/syntax.ts'

/** Words that a reader who comes along would act on. */
const WORDS = ['obj', 'xref', 'trailer', 'stream', '%PDF'] as const

/** What is wrong, or null. */
export function strayProblem(pdf: Buffer, { places, end }: CrossReference): string | null {
  for (const [number, place] of places) {
    if (place.kind !== 'plain') continue
    const head = objectHeadAt(pdf, skipWhiteSpace(pdf, place.offset))
    // Unused ones as well: one wrong entry makes some readers set out to repair all.
    if (head?.number !== number || head.generation !== place.generation) {
      return 'no object where its cross-reference says'
    }
  }
  const rest = pdf.subarray(end)
  return WORDS.some((word) => rest.includes(word, 0, 'latin1')) ? 'something behind its end' : null
}
