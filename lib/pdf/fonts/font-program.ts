/** The program of a font: what its letters are drawn by, when it is in the file. ISO 32000-1, table 126. */
import { PDFArray, PDFDict, PDFName, PDFRawStream } from 'pdf-lib'
import { SyntaxProblem } from '../file/value.ts'
import { textOf } from './font-use.ts'

/** The place of a font's program and its kind, by kind of font. */
const PLACES: Readonly<Record<string, Readonly<Record<string, readonly (string | null)[]>>>> = {
  Type1: { FontFile: [null], FontFile3: ['Type1C', 'OpenType'] },
  MMType1: { FontFile: [null], FontFile3: ['Type1C', 'OpenType'] },
  TrueType: { FontFile2: [null], FontFile3: ['OpenType'] },
  CIDFontType0: { FontFile3: ['CIDFontType0C', 'OpenType'] },
  CIDFontType2: { FontFile2: [null], FontFile3: ['OpenType'] },
}
const KEYS = ['FontFile', 'FontFile2', 'FontFile3']
const CONTRADICTION = 'a font that contradicts itself'

/** Throws a `SyntaxProblem` where the program is not of the kind of the font, because some viewers try it all the same. */
export function hasProgram(font: PDFDict): boolean {
  if (textOf(font, 'Subtype') === 'Type0') return hasProgram(descendantOf(font))
  const descriptor = font.lookup(PDFName.of('FontDescriptor'))
  if (!(descriptor instanceof PDFDict)) return false
  const [key, ...more] = KEYS.filter((each) => descriptor.has(PDFName.of(each)))
  if (key === undefined) return false
  const program = descriptor.lookup(PDFName.of(key))
  const kinds = PLACES[textOf(font, 'Subtype') ?? '']?.[key]
  // A program with the word `stream` in it stays unread by the structure reader.
  const kind = program instanceof PDFRawStream && key === 'FontFile3' ? textOf(program.dict, 'Subtype') : null
  const isOfKind = kinds?.includes(kind) || (kinds !== undefined && !(program instanceof PDFRawStream))
  if (!isOfKind || more.length > 0) throw new SyntaxProblem(CONTRADICTION)
  return true
}

/** The one font whose glyphs a composite font shows. */
function descendantOf(font: PDFDict): PDFDict {
  const descendants = font.lookup(PDFName.of('DescendantFonts'))
  const descendant = descendants instanceof PDFArray && descendants.size() === 1 ? descendants.lookup(0) : null
  const isWhole = descendant instanceof PDFDict && textOf(descendant, 'Subtype')?.startsWith('CIDFont')
  if (!isWhole || !font.has(PDFName.of('Encoding'))) throw new SyntaxProblem(CONTRADICTION)
  return descendant
}
