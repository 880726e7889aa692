/** Reads dictionaries whose keys all have to be known. */
import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFObject, PDFRawStream } from 'pdf-lib'
import { NotPlain } from './not-plain.ts'

export const entry = (dict: PDFDict, key: string): PDFObject | undefined => dict.lookup(PDFName.of(key))

export const nameIn = (dict: PDFDict, key: string): string | null => textOfName(entry(dict, key))

export const textOfName = (value: PDFObject | undefined): string | null =>
  value instanceof PDFName ? value.decodeText() : null

export const numberIn = (dict: PDFDict, key: string): number | null => {
  const value = entry(dict, key)
  return value instanceof PDFNumber ? value.asNumber() : null
}

/** A whole number within these bounds, or null. */
export const wholeIn = (dict: PDFDict, key: string, least: number, most: number): number | null => {
  const value = numberIn(dict, key)
  return value !== null && Number.isInteger(value) && value >= least && value <= most ? value : null
}

/** The numbers of an array of just as many; null for anything else. */
export function numbersIn(dict: PDFDict, key: string, count: number): number[] | null {
  const value = entry(dict, key)
  if (!(value instanceof PDFArray) || value.size() !== count) return null
  const items = Array.from({ length: count }, (_, i) => value.lookup(i))
  return items.every((item) => item instanceof PDFNumber) ? items.map((item) => (item as PDFNumber).asNumber()) : null
}

export const dictIn = (dict: PDFDict, key: string): PDFDict | null => {
  const value = entry(dict, key)
  return value instanceof PDFDict ? value : null
}

export const streamIn = (dict: PDFDict, key: string): PDFRawStream | null => {
  const value = entry(dict, key)
  return value instanceof PDFRawStream ? value : null
}

/** Keys that belong to one producer and mean nothing to a viewer. ISO 32000-1, annex E: four letters that are registered, and `_`. */
const PRIVATE = /^(?:PTEX|pdftk|ADBE|Adobe|Apple|cairo|_|[A-Z]{4}_)/

/** Throws a `NotPlain` where a dictionary has other keys than these. */
export function onlyKeys(dict: PDFDict, known: ReadonlySet<string>, problem: string): void {
  for (const key of dict.keys()) {
    const text = key.decodeText()
    if (!known.has(text) && !PRIVATE.test(text)) throw new NotPlain(problem)
  }
}

export const keys = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))
