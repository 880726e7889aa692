/** The elements of an array with references resolved; none for what is no array. */
import { PDFArray, type PDFObject } from 'pdf-lib'

export function elements(value: PDFObject | undefined): PDFObject[] {
  if (!(value instanceof PDFArray)) return []
  const found = Array.from({ length: value.size() }, (_, index) => value.lookup(index))
  return found.filter((item) => item !== undefined)
}
