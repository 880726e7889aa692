/** Mutants whose cross-reference, trailer, header or end says something else than the objects do. */
import { stream } from '../pdf/written-pdf.ts'
import type { Random } from '../random.ts'
import { type Base, evilOf, targets } from './base.ts'
import { withDuplicate } from './duplicates.ts'
import { type Assembled, assemble, planOf, row } from './plan.ts'

const tenDigits = (offset: number) => String(Math.max(0, offset)).padStart(10, '0')

export function shifted(base: Base, random: Random): Buffer {
  const plan = random.isSo() ? withDuplicate(base, random) : planOf(base)
  plan.form = 'table'
  const delta = random.pick([-1, 1, -2, 2, 7, -20, 100])
  const chosen = random.isSo() ? random.pick([base.page, base.content, base.pages, base.catalog]) : null
  const ways = [
    (text: string, number: number) =>
      chosen === null || chosen === number
        ? text.replace(/^\d{10}/, (digits) => tenDigits(Number(digits) + delta))
        : text,
    (text: string) => text.replace(' \n', '\n'),
    (text: string) => text.replace(' \n', '  \n'),
    (text: string) => text.replace(' \n', '\r\n'),
    (text: string) => text.replace(/^0{2}(\d{8})/, '$1'),
    (text: string, number: number) => (number === (chosen ?? base.page) ? text.replace(' n', ' f') : text),
    (text: string, number: number) => (number === (chosen ?? base.page) ? text.replace('00000 n', '00001 n') : text),
    (text: string, number: number) => (number === 0 ? '' : text),
  ]
  plan.rows = random.pick(ways)
  const heads = ['0 ', '1 ', '0 9', '-0 ', '0  ', '00 ']
  if (random.isSo(0.3)) plan.table = (table) => table.replace(/^xref\n0 /, `xref\n${random.pick(heads)}`)
  return assemble(plan).pdf
}

/** The places of two objects are exchanged, or a place leads into the middle of something. */
export function exchanged(base: Base, random: Random): Buffer {
  const plan = withDuplicate(base, random)
  plan.form = 'table'
  const { pdf } = assemble(plan)
  const file = pdf.toString('latin1')
  const rows = [...file.matchAll(/\d{10}(?= 00000 n)/g)]
  const [a, b] = [random.pick(rows), random.pick(rows)]
  const places = [...file.matchAll(/\d+ 0 obj/g)].map(({ index }) => tenDigits(index))
  const other = random.isSo() ? b[0] : random.pick(places)
  return Buffer.from(file.slice(0, a.index) + other + file.slice(a.index + 10), 'latin1')
}

/** An update by a viewer that means the false object, and something that leads some readers past it, or around it. */
export function staleUpdate(base: Base, random: Random): Buffer {
  const first = assemble(planOf(base))
  const evil = evilOf(base, random.pick(targets))
  const objects = [[evil.number, evil.body] as const, ...evil.more]
  const update = updateOf(first, objects, `/Root ${base.catalog} 0 R`, base.unused + 9)
  const file = update.pdf.toString('latin1')
  const last = (from: RegExp, to: string) => {
    const at = file.lastIndexOf('xref\n', file.lastIndexOf('startxref') - 1)
    return file.slice(0, at) + file.slice(at).replace(from, to)
  }
  const ways = [
    file,
    last(/startxref\n\d+/, `startxref\n${first.startxref}`),
    last(/\/Prev \d+/, `/Prev ${random.pick([0, 1, update.startxref, first.startxref + 1, 99999999])}`),
    last(/\/Prev \d+/, ''),
    last(/\d{10} 00000 n/, '0000000000 00001 f'),
    last(/\d{10} 00000 n/, '0000000000 00000 n'),
    last(/(\d{10}) 00000 n/, '$1 00001 n'),
    `${file}${first.pdf.toString('latin1').slice(first.startxref)}`,
    `${file}startxref\n${first.startxref}\n%%EOF\n`,
    `${file}startxref\n${first.startxref}\n`,
    `${file}${' '.repeat(random.pick([10, 900, 1100, 5000]))}`,
    file.replace(/startxref\n\d+\n%%EOF\n$/, ''),
  ]
  return Buffer.from(random.pick(ways), 'latin1')
}

function updateOf(
  first: Assembled,
  objects: readonly (readonly [number, string])[],
  trailer: string,
  size: number,
): Assembled {
  let file = first.pdf.toString('latin1')
  let table = 'xref\n'
  for (const [number, body] of objects) {
    table += `${number} 1\n${tenDigits(file.length)} 00000 n \n`
    file += `${number} 0 obj\n${body}\nendobj\n`
  }
  const startxref = file.length
  file += `${table}trailer\n<< /Size ${size} ${trailer} /Prev ${first.startxref} >>\nstartxref\n${startxref}\n%%EOF\n`
  return { pdf: Buffer.from(file, 'latin1'), offsets: first.offsets, startxref }
}

/** A table, and beside it a stream that means another object. */
export function hybrid(base: Base, random: Random): Buffer {
  const evil = evilOf(base, random.pick(targets))
  const plan = planOf(base)
  for (const [number, body] of evil.more) plan.parts.push({ number, body, isListed: true })
  const { pdf, startxref } = assemble(plan)
  const file = pdf.toString('latin1')
  const evilObject = `${evil.number} 0 obj\n${evil.body}\nendobj\n`
  const number = base.unused + 7
  const kind = random.pick([row(1, startxref, 0), row(0, 0, 0), row(2, evil.number, 0)])
  const entries = `/Type /XRef /Size ${number + 1} /Index [${evil.number} 1] /W [1 4 1] /Root ${base.catalog} 0 R`
  const xref = `${number} 0 obj\n${stream(kind, entries)}\nendobj\n`
  const at = startxref + evilObject.length
  const table = file.slice(startxref, file.indexOf('startxref', startxref))
  const beside = `/XRefStm ${at}`
  const row0 = new RegExp(`^((?:.*\\n){${2 + evil.number}}).*\\n`)
  const ways = [
    table.replace('/Size', `${beside} /Size`),
    table.replace(row0, '$10000000000 00000 f \n').replace('/Size', `${beside} /Size`),
    `${table}`.replace('/Size', `${beside} /Prev ${startxref} /Size`),
  ]
  const start = at + xref.length
  const body = `${file.slice(0, startxref)}${evilObject}${xref}`
  if (random.isSo(0.3)) {
    const word = `xref\n0 0\ntrailer\n<< /Size ${number + 1} /Root ${base.catalog} 0 R /Prev ${start} ${beside} >>\n`
    const middle = `${body}${table}startxref\n${start}\n%%EOF\n`
    return Buffer.from(`${middle}${word}startxref\n${middle.length}\n%%EOF\n`, 'latin1')
  }
  return Buffer.from(`${body}${random.pick(ways)}startxref\n${start}\n%%EOF\n`, 'latin1')
}

export function twoCatalogs(base: Base, random: Random): Buffer {
  const plan = planOf(base)
  const evil = evilOf(base, 'catalog')
  const number = base.unused + 6
  for (const [n, body] of [...evil.more, [number, evil.body] as const])
    plan.parts.push({ number: n, body, isListed: true })
  const roots = [base.catalog, number]
  if (random.isSo()) roots.reverse()
  const [one, other] = roots
  const ways: (() => void)[] = [
    () => (plan.trailer = `/Root ${one} 0 R /Root ${other} 0 R`),
    () => (plan.trailer = `/Root ${one} 0 R /R#6fot ${other} 0 R`),
    () => (plan.trailer = `/Root ${one} 1 R`),
    () => (plan.table = (table) => `trailer\n<< /Root ${other} 0 R >>\n${table}`),
    () => (plan.table = (table) => `${table}trailer\n<< /Root ${other} 0 R >>\n`),
    () => (plan.end = (ending) => `${ending}trailer\n<< /Root ${other} 0 R >>\n`),
    () => (plan.end = (ending) => `${ending}trailer\n<< /Root ${other} 0 R >>\nstartxref\n0\n%%EOF\n`),
    () => (plan.tail = `xref\n0 0\ntrailer\n<< /Size 99 /Root ${other} 0 R >>\nstartxref\n0\n%%EOF\n`),
    () => (plan.trailer = `/Root ${one} 0 R /Encrypt ${other} 0 R`),
    () => (plan.trailer = ''),
  ]
  random.pick(ways)()
  return assemble(plan).pdf
}

export function junkHeader(base: Base, random: Random): Buffer {
  const plan = random.isSo() ? withDuplicate(base, random) : planOf(base)
  const evil = evilOf(base, random.pick(targets))
  const object = `${evil.number} 0 obj\n${evil.body}\nendobj\n`
  plan.before = random.pick([
    '\n',
    'junk\n',
    ' '.repeat(1000),
    '%PDF-1.3\n',
    `%PDF-1.3\n${object}`,
    object,
    '%!PS-Adobe\n',
    '\0',
  ])
  plan.isFromStart = random.isSo()
  if (random.isSo(0.2)) plan.header = random.pick(['%PDF-1.7\r', '%PDF-9.9\n', '%PDF-\n', '%pdf-1.7\n', '%PDF 1.7\n'])
  return assemble(plan).pdf
}

/** A first object that promises fast pages. */
export function linearized(base: Base, random: Random): Buffer {
  const plan = planOf(base)
  const evil = evilOf(base, 'catalog')
  for (const [number, body] of evil.more) plan.parts.push({ number, body, isListed: true })
  const number = base.unused + 4
  const first = random.pick([base.page, base.unused + 1])
  const build = (length: number) => {
    const body = `<< /Linearized 1 /L ${String(length).padStart(7, '0')} /H [500 20] /O ${first} /E 900 /N 1 /T 900 >>`
    return assemble({ ...plan, parts: [{ number, body, isListed: true }, ...plan.parts] }).pdf
  }
  const { length } = build(0)
  return build(random.pick([length, length, length + 40_000, 9]))
}
