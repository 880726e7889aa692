/** Puts a file together from parts, true ones and false ones, with a cross-reference that names whichever it is told to. */
import { HEADER, stream } from '../pdf/written-pdf.ts'
import type { Base } from './base.ts'

export interface Part {
  number: number
  body: string
  generation?: number
  /** Whether the cross-reference names this one. */
  isListed: boolean
}

export interface Plan {
  before: string
  header: string
  parts: Part[]
  /** Objects that go into one object stream, under this number. */
  packed: { number: number; parts: Part[] } | null
  form: 'table' | 'stream'
  trailer: string
  /** Whether offsets count from the first byte instead of the header. */
  isFromStart: boolean
  /** Last changes to each of these, written out. */
  rows: (row: string, number: number) => string
  table: (table: string) => string
  tail: string
  end: (ending: string) => string
}

export const planOf = (base: Base): Plan => ({
  before: '',
  header: HEADER,
  parts: [...base.bodies].map(([number, body]) => ({ number, body, isListed: true })),
  packed: null,
  form: 'table',
  trailer: `/Root ${base.catalog} 0 R`,
  isFromStart: false,
  rows: (row) => row,
  table: (table) => table,
  tail: '',
  end: (ending) => ending,
})

export interface Assembled {
  pdf: Buffer
  offsets: Map<number, number>
  startxref: number
}

export function assemble(plan: Plan): Assembled {
  const base = plan.isFromStart ? plan.before.length : 0
  const offsets = new Map<number, number>()
  const generations = new Map<number, number>()
  let file = plan.header
  const write = ({ number, body, generation = 0, isListed }: Part) => {
    if (isListed) offsets.set(number, file.length + base)
    if (isListed) generations.set(number, generation)
    file += `${number} ${generation} obj\n${body}\nendobj\n`
  }
  for (const part of plan.parts) write(part)
  const inside = new Map<number, number>()
  if (plan.packed) {
    const { number, parts } = plan.packed
    parts.forEach((part, index) => {
      if (part.isListed) inside.set(part.number, index)
    })
    write({ number, body: objectStream(parts), isListed: true })
  }
  file += plan.tail
  const startxref = file.length + base
  const highest = Math.max(...offsets.keys(), ...inside.keys())
  if (plan.form === 'table' && !plan.packed) {
    let rows = plan.rows('0000000000 65535 f \n', 0)
    for (let number = 1; number <= highest; number++) {
      const offset = offsets.get(number)
      const generation = String(generations.get(number) ?? 0).padStart(5, '0')
      const row =
        offset === undefined ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} ${generation} n \n`
      rows += plan.rows(row, number)
    }
    const trailer = `trailer\n<< /Size ${highest + 1} ${plan.trailer} >>\n`
    file += plan.table(`xref\n0 ${highest + 1}\n${rows}${trailer}`)
  } else {
    const number = highest + 1
    offsets.set(number, startxref)
    let rows = row(0, 0, 0)
    for (let n = 1; n <= number; n++) {
      const index = inside.get(n)
      const offset = offsets.get(n)
      if (index !== undefined) rows += row(2, plan.packed!.number, index)
      else rows += offset === undefined ? row(0, 0, 0) : row(1, offset, generations.get(n) ?? 0)
    }
    const entries = `/Type /XRef /Size ${number + 1} /W [1 4 1] ${plan.trailer}`
    file += plan.table(`${number} 0 obj\n${stream(rows, entries)}\nendobj\n`)
  }
  file += plan.end(`startxref\n${startxref}\n%%EOF\n`)
  return { pdf: Buffer.from(plan.before + file, 'latin1'), offsets, startxref }
}

export function objectStream(parts: readonly { number: number; body: string }[]): string {
  let list = ''
  let values = ''
  for (const { number, body } of parts) {
    list += `${number} ${values.length} `
    values += `${body}\n`
  }
  return stream(`${list}${values}`, `/Type /ObjStm /N ${parts.length} /First ${list.length}`)
}

export const row = (type: number, offset: number, rest: number): string => {
  const bytes = Buffer.alloc(6)
  bytes.writeUInt8(type, 0)
  bytes.writeUInt32BE(offset, 1)
  bytes.writeUInt8(rest, 5)
  return bytes.toString('latin1')
}
