/** How far the fonts of a document reach above and below the baseline, as the document states it. Reads no font program. */
import { PDFDict, type PDFDocument, PDFName, PDFNumber } from 'pdf-lib'

/** Above and below the baseline, in em; below is negative. */
export type Extent = readonly [ascent: number, descent: number]

/** The extent of a font by its name in the document. */
export type FontExtents = (fontName: string) => Extent

/** A standard font that is not embedded is drawn by the viewer's own, with these metrics. */
const STANDARD: readonly (readonly [RegExp, Extent])[] = [
  [/^(?:Courier|CourierNew)(?:PS|MT|[-,]|$)/, [0.629, -0.157]],
  [/^(?:Helvetica|Arial)(?:MT|[-,]|$)/, [0.718, -0.207]],
  [/^(?:Times|TimesNewRoman)(?:PS|MT|[-,]|$)/, [0.683, -0.217]],
]
const UNKNOWN: Extent = [0.95, -0.35]
const LARGEST = 3

/** The extents of an unknown font: the letters of any font fit. */
export const unknownExtents: FontExtents = () => UNKNOWN

/** Returns a look-up by name; a font that is not described has an extent in which the letters of any font fit. */
export function fontExtents(doc: PDFDocument): FontExtents {
  const found = new Map<string, { embedded: boolean; extent: Extent }>()
  for (const [, object] of doc.context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFDict) || !object.has(PDFName.of('FontName'))) continue
    const entry = (key: string) => doc.context.lookup(object.get(PDFName.of(key)))
    const name = entry('FontName')
    if (!(name instanceof PDFName)) continue
    const em = (key: string) => {
      const value = entry(key)
      return value instanceof PDFNumber ? Math.abs(value.asNumber()) / 1000 : 0
    }
    const usable = (value: number) => value > 0 && value < LARGEST
    const [ascent, descent] = [em('Ascent'), em('Descent')]
    const descriptor = {
      embedded: ['FontFile', 'FontFile2', 'FontFile3'].some((key) => object.has(PDFName.of(key))),
      extent: [usable(ascent) ? ascent : UNKNOWN[0], usable(descent) ? -descent : UNKNOWN[1]] as const,
    }
    found.set(name.decodeText(), descriptor)
    const bare = withoutSubsetTag(name.decodeText())
    if (!found.has(bare)) found.set(bare, descriptor)
  }
  return (fontName) => {
    const bare = withoutSubsetTag(fontName)
    const known = found.get(fontName) ?? found.get(bare)
    const standard = known?.embedded ? undefined : STANDARD.find(([pattern]) => pattern.test(bare))
    return standard?.[1] ?? known?.extent ?? UNKNOWN
  }
}

const withoutSubsetTag = (name: string) => name.replace(/^[A-Z]{6}\+/, '').replace(/\s/g, '')
