/** The characters that a font file is used for. */
import { characterRanges } from './character-map.ts'
import type { FontFile } from './font-files.ts'

/** Replacement characters represent what is lost, and what private characters mean only their sender knows. */
const MEANINGLESS = /[\ufffc\ufffd\p{Co}]/u

/** Returns the code points. @param program that of the file */
export function charactersOf({ only }: FontFile, program: Uint8Array): number[] {
  const found: number[] = []
  for (const [first, last] of characterRanges(program)) {
    for (let codePoint = first; codePoint <= last; codePoint++) {
      const character = String.fromCodePoint(codePoint)
      if (!MEANINGLESS.test(character) && (only?.test(character) ?? true)) found.push(codePoint)
    }
  }
  return found
}
