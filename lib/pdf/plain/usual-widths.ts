/**
 * Whether a font that is not in the file has the widths of the letters that every viewer puts in its place. Where it has others, some
 * viewers squeeze the letters into them, and others do not.
 */
import { PDFArray, type PDFDict, PDFName, PDFNumber, StandardFontEmbedder, type StandardFonts } from 'pdf-lib'

/** Returns the standard font that every viewer takes for one of this name, or null. ISO 32000-1, 9.6.2.2. */
export function standardFont(name: string): StandardFonts | null {
  if (name === 'Symbol' || name === 'ZapfDingbats') return name as StandardFonts
  const [, family, bold, italic] = NAME.exec(name) ?? []
  if (!family) return null
  const [face, plain, slanted] = FACES[family]!
  const style = `${bold ? 'Bold' : ''}${italic ? slanted : ''}`
  return `${face}${style ? `-${style}` : plain}` as StandardFonts
}

const NAME =
  /^(Helvetica|Arial|Courier|CourierNew|TimesNewRoman|Times(?=-))(?:PS)?(?:MT)?(?:-Roman$)?(?:[,-](?=[BIO])(Bold)?(Italic|Oblique)?(?:MT)?)?$/

const FACES: Readonly<Record<string, readonly [face: string, plain: string, slanted: string]>> = {
  Helvetica: ['Helvetica', '', 'Oblique'],
  Arial: ['Helvetica', '', 'Oblique'],
  Courier: ['Courier', '', 'Oblique'],
  CourierNew: ['Courier', '', 'Oblique'],
  Times: ['Times', '-Roman', 'Italic'],
  TimesNewRoman: ['Times', '-Roman', 'Italic'],
}

/** In thousandths of the size, by which producers round. */
const ROUNDING = 10

/** @param nameOf returns the name of the letter of a code; null where the font itself says it */
export function hasUsualWidths(
  font: PDFDict,
  standard: StandardFonts,
  codes: Iterable<string>,
  nameOf: (code: string) => string | null,
): boolean {
  const widths = font.lookup(PDFName.of('Widths'))
  if (widths === undefined) return true
  const first = font.lookup(PDFName.of('FirstChar'))
  if (!(widths instanceof PDFArray) || !(first instanceof PDFNumber)) return false
  const { font: metrics, encoding } = StandardFontEmbedder.for(standard as never)
  const ownNames = new Map<number, string>(
    encoding.supportedCodePoints.map((point) => {
      const { code, name } = encoding.encodeUnicodeCodePoint(point)
      return [code, name]
    }),
  )
  for (const code of codes) {
    const name = nameOf(code) ?? ownNames.get(code.charCodeAt(0))
    const usual = name === undefined ? undefined : metrics.getWidthOfGlyph(name)
    const width = widths.lookup(code.charCodeAt(0) - first.asNumber())
    if (usual === undefined || !(width instanceof PDFNumber)) return false
    if (Math.abs(width.asNumber() - usual) > ROUNDING) return false
  }
  return true
}
