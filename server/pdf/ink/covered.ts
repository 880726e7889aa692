/**
 * The characters that can be stamped: those for which a font is installed. Found out once for each thread, without parsing the
 * fonts, because the thread that serves everybody asks too.
 */
import type { CoveredCharacters } from '../../../lib/pdf/text/ink-text.ts'
import { charactersOf } from './letters/characters.ts'
import { fontFiles, fontMap } from './letters/font-files.ts'

let covered: CoveredCharacters | undefined

/** choice: Fonts of ink */
export function coveredCharacters(): CoveredCharacters {
  covered ??= rangesOf(fontFiles('text').flatMap((file) => charactersOf(file, fontMap(file))))
  return covered
}

function rangesOf(codePoints: readonly number[]): number[] {
  const ranges: number[] = []
  for (const codePoint of Uint32Array.from(codePoints).sort()) {
    const last = ranges.at(-1) ?? Number.NEGATIVE_INFINITY
    if (codePoint <= last + 1) ranges[ranges.length - 1] = codePoint
    else ranges.push(codePoint, codePoint)
  }
  return ranges
}
