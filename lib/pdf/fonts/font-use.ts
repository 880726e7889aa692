/** Which fonts a document shows text in, and which of their codes. */
import { PDFDict, type PDFDocument, PDFName, type PDFObject, PDFRef } from 'pdf-lib'
import { SyntaxProblem } from '../file/value.ts'

export interface FontUse {
  /** The object as the resources name it: a reference, or the dictionary itself. */
  object: PDFObject
  font: PDFDict
  /**
   * The shown codes, each once, in latin1: codes of one byte, or of two where the font takes its glyphs by number; whole texts
   * where only its character map can tell where a code ends.
   */
  codes: Set<string>
}

export type FontUses = Map<PDFObject, FontUse>

/** Finds the font of a name in the resources of content. Throws a `SyntaxProblem` where there is none. */
export function fontNamed(name: string, resources: PDFDict | null, { context }: PDFDocument, uses: FontUses): FontUse {
  const fonts = context.lookup(resources?.get(PDFName.of('Font')))
  const object = fonts instanceof PDFDict ? fonts.get(PDFName.of(name)) : undefined
  const font = context.lookup(object)
  if (!object || !(font instanceof PDFDict)) throw new SyntaxProblem('text in a font that it does not have')
  const known = uses.get(object)
  if (known) return known
  const use: FontUse = { object: object instanceof PDFRef ? object : font, font, codes: new Set() }
  uses.set(object, use)
  return use
}

const BYTES_OF_CODE: Readonly<Record<string, number>> = { 'Identity-H': 2, 'Identity-V': 2 }

/** Adds the codes of a text that is shown in the font. @param text in latin1 */
export function addCodes({ font, codes }: FontUse, text: string): void {
  const isComposite = textOf(font, 'Subtype') === 'Type0'
  const length = isComposite ? (BYTES_OF_CODE[textOf(font, 'Encoding') ?? ''] ?? text.length) : 1
  for (let at = 0; at < text.length; at += length) codes.add(text.slice(at, at + length))
}

/** The name that is under a key of a dictionary, or null. */
export function textOf(dictionary: PDFDict, key: string): string | null {
  const value = dictionary.lookup(PDFName.of(key))
  return value instanceof PDFName ? value.decodeText() : null
}
