/** Replaces color profiles by the colors of a screen that they stand for. Each viewer converts by profiles in a way of its own. */
import { PDFArray, PDFDict, type PDFDocument, PDFName, PDFNumber, type PDFObject, PDFRawStream } from 'pdf-lib'
import { isDefault } from './color-space.ts'
import { textOfName } from './entries.ts'

/** Returns whether the document had any. It is changed. */
export function replaceProfiles(doc: PDFDocument): boolean {
  const { context } = doc
  let isChanged = false
  const screenSpace = (object: PDFObject | undefined): PDFName | null => {
    const value = context.lookup(object)
    if (!(value instanceof PDFArray) || value.size() !== 2 || textOfName(value.lookup(0)) !== 'ICCBased') return null
    const profile = value.lookup(1)
    const components = profile instanceof PDFRawStream ? profile.dict.lookup(PDFName.of('N')) : null
    const space = components instanceof PDFNumber ? SPACES[components.asNumber()] : undefined
    return space ? PDFName.of(space) : null
  }
  const visit = (object: PDFObject | undefined): void => {
    if (object instanceof PDFRawStream) visit(object.dict)
    else if (object instanceof PDFDict) {
      for (const [key, value] of object.entries()) {
        const space = screenSpace(value)
        if (space && isDefault(key)) object.delete(key)
        else if (space) object.set(key, space)
        else visit(value)
        isChanged ||= space !== null
      }
    } else if (object instanceof PDFArray) {
      for (const [index, value] of object.asArray().entries()) {
        const space = screenSpace(value)
        if (space) object.set(index, space)
        else visit(value)
        isChanged ||= space !== null
      }
    }
  }
  for (const [, object] of context.enumerateIndirectObjects()) visit(object)
  return isChanged
}

/** By how many numbers a color has. */
const SPACES: Readonly<Record<number, string>> = { 1: 'DeviceGray', 3: 'DeviceRGB' }
