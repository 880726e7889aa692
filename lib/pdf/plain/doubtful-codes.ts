/**
 * Finds the codes of a font that two viewers might draw differently. A text font that is not in the file has none under the
 * ordinary codes and names of letters: each viewer takes a font of its own, and an A stays an A.
 */
import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFObject, StandardFonts } from 'pdf-lib'
import { hasProgram } from '../fonts/font-program.ts'
import { type FontUse, textOf } from '../fonts/font-use.ts'
import { latinNames } from './latin-names.ts'
import { FontMissing } from './not-plain.ts'
import { hasUsualWidths, standardFont } from './usual-widths.ts'

/** Returns the codes. Throws a `NotPlain` or a `SyntaxProblem` for a font that each viewer has to guess. */
export function doubtfulCodes(use: FontUse): string[] {
  const { font } = use
  const subtype = textOf(font, 'Subtype')
  // Letters that are content of the document have been read with all other content.
  if (subtype === 'Type3') return []
  const descriptor = font.lookup(PDFName.of('FontDescriptor'))
  if (hasProgram(font)) return [...use.codes]
  const name = textOf(font, 'BaseFont')
  if (!SIMPLE.has(subtype ?? '') || !name || SUBSET.test(name)) throw new FontMissing(NOT_EMBEDDED)
  const standard = standardFont(name)
  const encoding = font.lookup(PDFName.of('Encoding'))
  const named = encoding instanceof PDFDict ? differences(encoding) : new Map<string, string>()
  if (!standard || !hasUsualWidths(font, standard, use.codes, (code) => named.get(code) ?? null))
    throw new FontMissing(NOT_EMBEDDED)
  if (standard === StandardFonts.Symbol || standard === StandardFonts.ZapfDingbats) return pictures(use, standard)
  return unusualCodes(use, isSymbolic(descriptor))
}

const SIMPLE = new Set(['Type1', 'TrueType', 'MMType1'])
/** The name of a part of a font, which no one else has. */
const SUBSET = /^[A-Z]{6}\+/
const NOT_EMBEDDED = 'a font that is not in it and that viewers replace'

/** Every viewer has the two that belong to the format, and takes letters there by their own codes. */
function pictures({ font, codes }: FontUse, name: string): string[] {
  const encoding = font.lookup(PDFName.of('Encoding'))
  const isOwn = encoding === undefined || (encoding instanceof PDFDict && baseOf(encoding) === null)
  const names = encoding instanceof PDFDict ? [...differences(encoding).values()] : []
  const isKnown = name === StandardFonts.ZapfDingbats || names.length === 0
  if (!isKnown || !isOwn || !names.every((dingbat) => DINGBAT.test(dingbat))) throw new FontMissing(NOT_EMBEDDED)
  return [...codes]
}

const DINGBAT = /^(?:a\d{1,3}|space|\.notdef)$/

/** The standard encoding has other quotation marks there. */
const PRINTABLE = /^[\x20-\x26\x28-\x5f\x61-\x7e]$/
const LATIN = /^[\x20-\x7e\xa1-\xac\xae-\xff]$/
const BASES = [null, 'WinAnsiEncoding', 'MacRomanEncoding', 'StandardEncoding']

function unusualCodes({ font, codes }: FontUse, isSymbolicFont: boolean): string[] {
  const encoding = font.lookup(PDFName.of('Encoding'))
  const base = baseOf(encoding)
  if (!BASES.includes(base)) throw new FontMissing(NOT_EMBEDDED)
  const ordinary = base === 'WinAnsiEncoding' && !isSymbolicFont ? LATIN : PRINTABLE
  const named = encoding instanceof PDFDict ? differences(encoding) : new Map<string, string>()
  const unnamed = [...codes].filter((code) => !named.has(code))
  const isKnown = (code: string) => !named.has(code) || latinNames.has(named.get(code)!)
  if (![...codes].every(isKnown)) throw new FontMissing(NOT_EMBEDDED)
  return unnamed.filter((code) => !ordinary.test(code))
}

/** The encoding that others are told from; null for that of the font itself. */
export function baseOf(encoding: PDFObject | undefined): string | null {
  if (encoding === undefined) return null
  if (encoding instanceof PDFName) return encoding.decodeText()
  if (encoding instanceof PDFDict) return baseOf(encoding.lookup(PDFName.of('BaseEncoding')))
  throw new FontMissing(NOT_EMBEDDED)
}

/** ISO 32000-1, table 114: a code, and the names of the letters from there on. */
export function differences(encoding: PDFDict): Map<string, string> {
  const list = encoding.lookup(PDFName.of('Differences'))
  const named = new Map<string, string>()
  let code = 0
  for (let i = 0; list instanceof PDFArray && i < list.size(); i++) {
    const item = list.lookup(i)
    if (item instanceof PDFNumber) code = item.asNumber()
    else if (item instanceof PDFName) named.set(String.fromCharCode(code++), item.decodeText())
    else throw new FontMissing(NOT_EMBEDDED)
  }
  return named
}

/** ISO 32000-1, table 123. */
const SYMBOLIC = 4

function isSymbolic(descriptor: unknown): boolean {
  const flags = descriptor instanceof PDFDict ? descriptor.lookup(PDFName.of('Flags')) : null
  return flags instanceof PDFNumber && (flags.asNumber() & SYMBOLIC) !== 0
}
