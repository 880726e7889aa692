/** Finds things that a file must not contain, although its cross-reference is whole: misleading entries, words after the end. */
import type { CrossReference } from '../file/cross-reference.ts'
import { isDigit, isWhiteSpace, skipWhiteSpace } from '../file/lexer.ts'
import { objectHeadAt } from '../file/syntax.ts'

/** Words that a reader acts on when it goes through the file from the front. */
const WORDS = ['obj', 'xref', 'trailer', 'stream', '%PDF'] as const

/**
 * What is wrong, or null.
 * @param isTrusted whether every reader takes the cross-reference at its word. The others look through the whole file.
 */
export function strayProblem(pdf: Buffer, crossReference: CrossReference, isTrusted: boolean): string | null {
  const { places, end } = crossReference
  for (const [number, place] of places) {
    if (place.kind !== 'plain') continue
    const head = objectHeadAt(pdf, skipWhiteSpace(pdf, place.offset))
    // Unused ones as well: one wrong entry makes some readers set out to repair all.
    if (head?.number !== number || head.generation !== place.generation) {
      return 'no object where its cross-reference says'
    }
  }
  const rest = pdf.subarray(end)
  if (WORDS.some((word) => rest.includes(word, 0, 'latin1'))) return 'something behind its end'
  return isTrusted || !hasUnlisted(pdf, crossReference) ? null : 'an object that only some readers find'
}

/** Whether something like `5 0 obj` is anywhere, in a stream or a comment too, that no cross-reference names. */
function hasUnlisted(pdf: Buffer, { sections }: CrossReference): boolean {
  const listed = new Set<number>()
  for (const { places, isStream, offset } of sections) {
    if (isStream) listed.add(offset)
    for (const place of places.values()) {
      if (place.kind === 'plain') listed.add(skipWhiteSpace(pdf, place.offset))
    }
  }
  for (let at = pdf.indexOf('obj', 0, 'latin1'); at >= 0; at = pdf.indexOf('obj', at + 3, 'latin1')) {
    const start = startOfHead(pdf, at)
    if (start !== null && !listed.has(start)) return true
  }
  return false
}

/** Where the number before `0 obj` begins; null when the word is alone, as in `endobj`. */
function startOfHead(pdf: Buffer, word: number): number | null {
  const digitsBefore = (end: number) => {
    let at = end
    while (at > 0 && isWhiteSpace(pdf[at - 1])) at--
    const last = at
    while (at > 0 && isDigit(pdf[at - 1])) at--
    return at < last ? at : null
  }
  const generation = digitsBefore(word)
  return generation === null ? null : digitsBefore(generation)
}
