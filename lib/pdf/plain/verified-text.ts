/**
 * Whether the text that a page has for screen readers is what its fonts draw. A font gives the text of its letters in one place
 * (ToUnicode) and draws them by another (its encoding, or the character map of its program); where it has no second place, or they
 * contradict each other, a dose that is read aloud may not be the dose that is seen. So may text that does not show.
 */
import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFRawStream,
  StandardFontEmbedder,
  StandardFonts,
} from 'pdf-lib'
import type { FontUse } from '../fonts/font-use.ts'
import { textOf } from '../fonts/font-use.ts'
import { lettersByGlyph } from '../fonts/letters-by-glyph.ts'
import { fold } from '../text/fold.ts'
import { nothingChecked } from './content.ts'
import { baseOf, differences } from './doubtful-codes.ts'
import { dictIn, entry, streamIn } from './entries.ts'
import { checkPageContent } from './plain-problem.ts'
import { unpacked } from './stream.ts'
import { textsOf } from './to-unicode.ts'

const MOST_BYTES = 8 * 1024 * 1024

/** @param number of the page, from 1; a page of a plain document */
export function hasVerifiedText(doc: PDFDocument, number: number): boolean {
  const checked = nothingChecked()
  try {
    checkPageContent(doc.getPage(number - 1), checked)
    return !checked.hasHiddenText && [...checked.fonts.values()].every(isVerified)
  } catch {
    return false
  }
}

function isVerified({ font, codes }: FontUse): boolean {
  const map = entry(font, 'ToUnicode')
  const texts = map instanceof PDFRawStream ? textsOf(unpacked(map, MOST_BYTES).toString('latin1')) : null
  if (map !== undefined && !texts) return false
  const isComposite = textOf(font, 'Subtype') === 'Type0'
  const lettersOf = isComposite ? lettersOfComposite(font) : lettersOfSimple(font)
  if (!lettersOf) return false
  return [...codes].every((code) => {
    const number = isComposite ? (code.charCodeAt(0) << 8) | code.charCodeAt(1) : code.charCodeAt(0)
    const letters = lettersOf(number)
    const text = texts ? texts.get(number) : isComposite ? undefined : letters[0]
    return text !== undefined && letters.some((letter) => fold(letter) === fold(text))
  })
}

/** Returns the texts that a code may stand for. */
type LettersOf = (code: number) => readonly string[]

function lettersOfSimple(font: PDFDict): LettersOf {
  const encoding = entry(font, 'Encoding')
  const base = baseOf(encoding)
  const named = encoding instanceof PDFDict ? differences(encoding) : new Map<string, string>()
  return (code) => {
    const name = named.get(String.fromCharCode(code))
    if (name !== undefined) return letterNames.get(name) ?? []
    if (base === null && !isStandard(font)) return []
    return base === 'WinAnsiEncoding' || code < 0x7f ? [WINDOWS.decode(Uint8Array.of(code))] : []
  }
}

/** Without an encoding, only a standard font that is not in the file has letters that are known. */
const isStandard = (font: PDFDict) => !dictIn(font, 'FontDescriptor')

const WINDOWS = new TextDecoder('windows-1252')

function lettersOfComposite(font: PDFDict): LettersOf | null {
  const list = entry(font, 'DescendantFonts')
  const descendant = list instanceof PDFArray ? list.lookup(0) : null
  const descriptor = descendant instanceof PDFDict ? dictIn(descendant, 'FontDescriptor') : null
  const program = descriptor && streamIn(descriptor, 'FontFile2')
  const letters = program && lettersByGlyph(unpacked(program, MOST_BYTES))
  if (!letters) return null
  const map = (descendant as PDFDict).lookup(PDFName.of('CIDToGIDMap'))
  const glyphs = map instanceof PDFRawStream ? unpacked(map, MOST_BYTES) : null
  return (code) => {
    const glyph = glyphs === null ? code : 2 * code + 1 < glyphs.length ? glyphs.readUInt16BE(2 * code) : 0
    return letters.get(glyph) ?? []
  }
}

/** The letters of each name that a Latin font has. */
const letterNames: ReadonlyMap<string, readonly string[]> = (() => {
  const { encoding } = StandardFontEmbedder.for(StandardFonts.Helvetica as never)
  const names = encoding.supportedCodePoints.map((point): [string, string[]] => [
    encoding.encodeUnicodeCodePoint(point).name,
    [String.fromCodePoint(point)],
  ])
  const ligatures = ['ff', 'fi', 'fl', 'ffi', 'ffl'].map((name): [string, string[]] => [name, [name]])
  return new Map([...names, ...ligatures])
})()
