/**
 * Writes the cross-reference of an update as its file has the one before (ISO 32000-1, 7.5.8): where that is a stream, the update has one
 * too, because viewers do not agree on a table that leads to a stream. The structure library writes tables.
 */
import { readCrossReference, type Section } from '../../../lib/pdf/file/cross-reference.ts'
import { entryOf } from '../../../lib/pdf/file/value.ts'

/** Whether the newest cross-reference of the file is a stream. A table with a stream alongside (a hybrid file) is a table. */
export const endsWithStream = (pdf: Uint8Array): boolean => newestSection(bytesOf(pdf)).isStream

/**
 * Returns the file with its newest cross-reference, a table, as a stream in the same place.
 * @param number of the stream: the last of all objects, which /Size counts already
 */
export function withCrossReferenceStream(written: Uint8Array, number: number): Uint8Array {
  const pdf = bytesOf(written)
  const { offset, trailer, places } = newestSection(pdf)
  const rows = [...places].map(([object, place]) => {
    if (place.kind === 'packed') throw new TypeError('A table has no packed objects')
    return place.kind === 'free'
      ? { object, row: [FREE, 0, LAST_GENERATION] as const }
      : { object, row: [IN_USE, place.offset, place.generation] as const }
  })
  rows.push({ object: number, row: [IN_USE, offset, 0] })
  const data = Buffer.alloc(rows.length * ROW)
  for (const [i, { row }] of rows.entries()) {
    data.writeUInt8(row[0], i * ROW)
    data.writeUInt32BE(row[1], i * ROW + 1)
    data.writeUInt16BE(row[2], i * ROW + 5)
  }
  const inherited = ['Size', 'Root', 'Info', 'ID', 'Prev'].flatMap((key) => {
    const value = entryOf(trailer, key)
    return value ? [`/${key} ${pdf.toString('latin1', value.start, value.end)}\n`] : []
  })
  const head =
    `${number} 0 obj\n<<\n/Type /XRef\n${inherited.join('')}/Index [ ${runsOf(rows.map(({ object }) => object))} ]\n` +
    `/W [ 1 4 2 ]\n/Length ${data.length}\n>>\nstream\n`
  const tail = `\nendstream\nendobj\n\nstartxref\n${offset}\n%%EOF`
  return Buffer.concat([pdf.subarray(0, offset), Buffer.from(head, 'latin1'), data, Buffer.from(tail, 'latin1')])
}

/** Kinds of rows. */
const [FREE, IN_USE] = [0, 1]
const LAST_GENERATION = 65_535
/** Bytes of a row: its kind, an offset, a generation. */
const ROW = 7

/** First and length of each run of consecutive numbers. */
function runsOf(numbers: readonly number[]): string {
  const runs: { first: number; length: number }[] = []
  for (const number of numbers) {
    const last = runs.at(-1)
    if (last && last.first + last.length === number) last.length++
    else runs.push({ first: number, length: 1 })
  }
  return runs.map(({ first, length }) => `${first} ${length}`).join(' ')
}

function newestSection(pdf: Buffer): Section {
  const read = readCrossReference(pdf)
  if (!read.ok) throw new Error(`The document has ${read.problem}`)
  return read.crossReference.sections[0]!
}

const bytesOf = (pdf: Uint8Array): Buffer => Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
