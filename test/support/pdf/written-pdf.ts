/** Writes small PDFs byte by byte, so that a test can break any rule of the format, one at a time. */

/** What stands between `5 0 obj` and `endobj`, by number. */
export type Bodies = Readonly<Record<number, string>>

export const stream = (content: string, entries = ''): string =>
  `<< ${entries} /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`

export const text = (words: string): string => `BT /F1 18 Tf 72 700 Td (${words}) Tj ET`

/** One page that says this, in Helvetica. */
export const order = (words = 'Morphine 5 mg'): Record<number, string> => ({
  1: '<< /Type /Catalog /Pages 2 0 R >>',
  2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
  4: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  5: stream(text(words)),
})

export const HEADER = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'

export interface Written {
  pdf: Buffer
  /** Of the objects, by number, the last one written. */
  offsets: Map<number, number>
  startxref: number
}

/** A whole file: header, objects, `between`, table, trailer. */
export function writtenPdf(bodies: Bodies, { header = HEADER, between = '', trailer = '/Root 1 0 R' } = {}): Written {
  const offsets = new Map<number, number>()
  let file = header
  for (const [number, body] of Object.entries(bodies)) {
    offsets.set(Number(number), file.length)
    file += `${number} 0 obj\n${body}\nendobj\n`
  }
  file += between
  const startxref = file.length
  file += `${tableOf(offsets)}trailer\n<< /Size ${[...offsets.keys()].reduce((a, b) => Math.max(a, b)) + 1} ${trailer} >>\n${ending(startxref)}`
  return { pdf: Buffer.from(file, 'latin1'), offsets, startxref }
}

export const ending = (startxref: number): string => `startxref\n${startxref}\n%%EOF\n`

/** `xref` with one subsection for each run of numbers; number 0 heads the free ones. */
export function tableOf(offsets: ReadonlyMap<number, number>, withZero = true): string {
  const rows = new Map<number, string>(withZero ? [[0, '0000000000 65535 f \n']] : [])
  for (const [number, offset] of offsets) rows.set(number, `${String(offset).padStart(10, '0')} 00000 n \n`)
  const numbers = [...rows.keys()].sort((a, b) => a - b)
  const runs: number[][] = []
  for (const number of numbers) {
    const last = runs.at(-1)
    if (last?.at(-1) === number - 1) last.push(number)
    else runs.push([number])
  }
  return `xref\n${runs.map((run) => `${run[0]} ${run.length}\n${run.map((number) => rows.get(number)).join('')}`).join('')}`
}

/** The file with more objects appended in an update of its own, as a viewer saves. */
export function updatedPdf({ pdf, startxref }: Written, bodies: Bodies, trailer = '/Root 1 0 R /Size 20'): Written {
  const offsets = new Map<number, number>()
  let file = pdf.toString('latin1')
  for (const [number, body] of Object.entries(bodies)) {
    offsets.set(Number(number), file.length)
    file += `${number} 0 obj\n${body}\nendobj\n`
  }
  const next = file.length
  file += `${tableOf(offsets, false)}trailer\n<< ${trailer} /Prev ${startxref} >>\n${ending(next)}`
  return { pdf: Buffer.from(file, 'latin1'), offsets, startxref: next }
}
