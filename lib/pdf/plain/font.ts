/** The fonts of a plain document: in the file, or with a name that every viewer has. Which letters they draw is compared elsewhere. */
import type { PDFDict } from 'pdf-lib'
import { hasProgram } from '../fonts/font-program.ts'
import { dictIn, nameIn } from './entries.ts'
import { FontMissing, NotPlain } from './not-plain.ts'
import { checkToUnicode } from './to-unicode.ts'

const SIMPLE: ReadonlySet<string | null> = new Set(['Type1', 'TrueType', 'MMType1'])

/** Throws a `NotPlain` or a `SyntaxProblem` at what is outside of the grammar. */
export function checkFont(font: PDFDict): void {
  const subtype = nameIn(font, 'Subtype')
  if (subtype === 'Type3') throw new NotPlain('letters that are drawings')
  if (subtype === 'Type0') {
    // Other maps from codes to letters are not in the file, or have a language of their own.
    if (nameIn(font, 'Encoding') !== 'Identity-H') throw new NotPlain('a font with codes that viewers read differently')
    if (!hasProgram(font)) throw new FontMissing('a font that is not in it and that viewers replace')
    return
  }
  if (!SIMPLE.has(subtype)) throw new NotPlain('a font of a kind that only some viewers know')
  checkToUnicode(font)
  if (hasProgram(font)) return
  const descriptor = dictIn(font, 'FontDescriptor')
  if (descriptor && nameIn(descriptor, 'FontName') !== nameIn(font, 'BaseFont'))
    throw new NotPlain('a font with two names')
}
