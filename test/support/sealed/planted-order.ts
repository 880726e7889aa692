/** An order that prepares a forgery: its page holds texts that look like the byte ranges of a signature yet to come. */

/** What stands around the planted place once the seal has been moved into it. */
export interface Plant {
  /** Where the planted gap is to begin. */
  gapStart: number
  gapLength: number
}

export interface PlantedOrder {
  pdf: Uint8Array
  plant: Plant
}

const GAP = 4002
const DIGITS = 10

/**
 * The page says "Morphine 5 mg daily". Its content has, in comments, byte ranges for all lengths around `length`, which is
 * that of the sealed file without its own gap; then the words `[ /Contents ] TJ`, into which the signature goes later.
 */
export function plantedOrder(length: number): PlantedOrder {
  const build = (gapStart: number): Buffer => {
    const range = (rest: number) =>
      `%/ByteRange [0 ${[gapStart, gapStart + GAP, rest].map((offset) => String(offset).padStart(DIGITS, '0')).join(' ')}]`
    const ranges = Array.from({ length: 99 }, (_, i) => range(Math.max(0, length - gapStart + i - 49)))
    return orderWith(
      [
        'BT /F1 18 Tf 72 700 Td (Morphine 5 mg daily) Tj ET',
        ...ranges,
        // All letters are of one width, so the end of 2,000 of them can be put onto the page.
        'BT /F1 18 Tf 1 0 0 1 -21150 660 Tm [ /Contents ] TJ ET',
        '%/SubFilter /ETSI.CAdES.detached',
        // As much as the gap will push out of the stream.
        ' '.repeat(GAP),
      ].join('\n'),
    )
  }
  const gapStart = build(0).indexOf('[ /Contents ]') + '[ /Contents '.length
  return { pdf: new Uint8Array(build(gapStart)), plant: { gapStart, gapLength: GAP } }
}

/** A document of one page, with nothing in it but this content; `trailer` goes into the trailer's dictionary. */
export function orderWith(content: string, trailer = ''): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
    `<< /Type /Font /Subtype /Type1 /BaseFont /Courier /FirstChar 0 /LastChar 255 /Widths [${'600 '.repeat(256)}] >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ]
  let text = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const xref = text.length
  text += `xref\n0 6\n0000000000 65535 f \n${rows}trailer\n<< /Size 6 /Root 1 0 R ${trailer}>>\nstartxref\n${xref}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}
