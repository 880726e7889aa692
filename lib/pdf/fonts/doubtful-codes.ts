/**
 * Which codes of a font might be drawn differently by two viewers? None of a text font that is not in the file, under the
 * ordinary codes and names of its letters: each viewer takes a font of its own, and an A stays an A.
 */
import { PDFArray, PDFDict, PDFName, PDFNumber } from 'pdf-lib'
import { type FontUse, textOf } from './font-use.ts'
import { latinNames } from './latin-names.ts'

export function doubtfulCodes({ font, codes }: FontUse): string[] {
  const subtype = textOf(font, 'Subtype')
  // Letters that are content of the document have been read with all other content.
  if (subtype === 'Type3') return []
  const name = textOf(font, 'BaseFont')
  const descriptor = font.lookup(PDFName.of('FontDescriptor'))
  const isElsewhere = !(descriptor instanceof PDFDict) || PROGRAMS.every((key) => !descriptor.has(PDFName.of(key)))
  const isText = (subtype === 'Type1' || subtype === 'TrueType') && name !== null && !PICTURES.test(name)
  if (!isText || !isElsewhere) return [...codes]
  const isOrdinary = ordinaryCodes(font, descriptor instanceof PDFDict && isSymbolic(descriptor))
  return [...codes].filter((code) => !isOrdinary(code))
}

const PROGRAMS = ['FontFile', 'FontFile2', 'FontFile3']
const PICTURES = /symbol|dingbat|wingding|webding|marlett|barcode|code ?\d|3 ?of ?9/i

/** The standard encoding has other quotation marks there. */
const PRINTABLE = /^[\x20-\x26\x28-\x5f\x61-\x7e]$/
const LATIN = /^[\x20-\x7e\xa1-\xac\xae-\xff]$/

function ordinaryCodes(font: PDFDict, isSymbolicFont: boolean): (code: string) => boolean {
  const encoding = font.lookup(PDFName.of('Encoding'))
  const base = encoding instanceof PDFDict ? textOf(encoding, 'BaseEncoding') : textOf(font, 'Encoding')
  const isKnown = base === null || ['WinAnsiEncoding', 'MacRomanEncoding', 'StandardEncoding'].includes(base)
  const ordinary = base === 'WinAnsiEncoding' && !isSymbolicFont ? LATIN : PRINTABLE
  const named = encoding instanceof PDFDict ? differences(encoding) : new Map<string, string>()
  return (code) => {
    const name = named.get(code)
    return name === undefined ? isKnown && ordinary.test(code) : latinNames.has(name)
  }
}

/** ISO 32000-1, table 114: a code, and the names of the letters from there on. */
function differences(encoding: PDFDict): Map<string, string> {
  const list = encoding.lookup(PDFName.of('Differences'))
  const named = new Map<string, string>()
  let code = 0
  for (let i = 0; list instanceof PDFArray && i < list.size(); i++) {
    const item = list.lookup(i)
    if (item instanceof PDFNumber) code = item.asNumber()
    else if (item instanceof PDFName) named.set(String.fromCharCode(code++), item.decodeText())
  }
  return named
}

/** ISO 32000-1, table 123. */
const SYMBOLIC = 4

function isSymbolic(descriptor: PDFDict): boolean {
  const flags = descriptor.lookup(PDFName.of('Flags'))
  return flags instanceof PDFNumber && (flags.asNumber() & SYMBOLIC) !== 0
}
