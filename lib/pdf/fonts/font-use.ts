/** Which codes of a font a document shows. */
import { type PDFDict, PDFName } from 'pdf-lib'

export interface FontUse {
  font: PDFDict
  /**
   * The shown codes, each once, in latin1: codes of one byte, or of two where the font takes its glyphs by number; whole texts
   * where only its character map can tell where a code ends.
   */
  codes: Set<string>
}

/** Fonts by their dictionaries. */
export type FontUses = Map<PDFDict, FontUse>

const BYTES_OF_CODE: Readonly<Record<string, number>> = { 'Identity-H': 2, 'Identity-V': 2 }

/** Adds the codes of a text that is shown in the font. @param text in latin1 */
export function addCodes(uses: FontUses, font: PDFDict, text: string): void {
  const { codes } = uses.get(font) ?? { codes: new Set() }
  uses.set(font, { font, codes })
  const isComposite = textOf(font, 'Subtype') === 'Type0'
  const length = isComposite ? (BYTES_OF_CODE[textOf(font, 'Encoding') ?? ''] ?? text.length) : 1
  for (let at = 0; at < text.length; at += length) codes.add(text.slice(at, at + length))
}

/** The name that is under a key of a dictionary, or null. */
export function textOf(dictionary: PDFDict, key: string): string | null {
  const value = dictionary.lookup(PDFName.of(key))
  return value instanceof PDFName ? value.decodeText() : null
}
