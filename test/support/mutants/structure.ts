/** Mutants whose objects are there once, and can be read in two ways all the same. */
import { stream } from '../pdf/written-pdf.ts'
import type { Random } from '../random.ts'
import { type Base, evilDrawing, evilOf, targets } from './base.ts'
import { assemble, objectStream, type Plan, planOf } from './plan.ts'

const change = (plan: Plan, number: number, to: (body: string) => string) => {
  for (const part of plan.parts) if (part.number === number) part.body = to(part.body)
}
const withEntry = (entry: string) => (body: string) => body.replace('<<', `<< ${entry} `)
const withLast = (entry: string) => (body: string) => body.trimEnd().replace(/>>$/, ` ${entry} >>`)
const add = (plan: Plan, number: number, body: string) => plan.parts.push({ number, body, isListed: true })

export function lengthLies(base: Base, random: Random): Buffer {
  const plan = planOf(base)
  const { unused, content } = base
  const decoy = `${evilDrawing}\nendstream\nendobj\n${content} 0 obj\n`
  const shown = 'q 0 g 100 500 50 50 re f Q\n'
  const data = random.pick([
    `${shown}endstream\n${evilDrawing}`,
    `${shown}endstream endobj\n${decoy}`,
    `${shown}${evilDrawing}`,
  ])
  const lengths = [shown.length, data.length, 0, data.length + 30, data.length - 5, 99999]
  const length = random.pick(lengths)
  const stated = random.pick([
    `/Length ${length}`,
    `/Length ${unused} 0 R`,
    `/Length ${unused} 1 R`,
    `/Length 1 /Length ${length}`,
    '',
  ])
  add(plan, unused, String(length))
  const opening = random.pick(['stream\n', 'stream\r\n', 'stream\r', 'stream \n', 'stream'])
  const closing = random.pick(['\nendstream', 'endstream', '\rendstream', '', '\nendstreams'])
  change(plan, content, () => `<< ${stated} >>\n${opening}${data}${closing}`)
  return assemble(plan).pdf
}

export function doubleKeys(base: Base, random: Random): Buffer {
  const plan = planOf(base)
  const evil = evilOf(base, 'catalog')
  for (const [number, body] of evil.more) add(plan, number, body)
  const place = random.pick([withEntry, withLast])
  const escaped = (key: string) => (random.isSo(0.3) ? `#${key.charCodeAt(0).toString(16)}${key.slice(1)}` : key)
  const ways: (() => void)[] = [
    () => change(plan, base.page, place(`/${escaped('Contents')} ${base.unused} 0 R`)),
    () => change(plan, base.page, place(`/${escaped('Contents')} [${base.unused} 0 R]`)),
    () => change(plan, base.page, place(`/${escaped('Contents')} null`)),
    () => change(plan, base.page, place(`/${escaped('MediaBox')} [0 0 300 300]`)),
    () => change(plan, base.page, place(`/${escaped('Rotate')} 90`)),
    () => change(plan, base.page, place('/Resources << >>')),
    () => change(plan, base.catalog, place(`/${escaped('Pages')} ${base.unused + 2} 0 R`)),
    () => change(plan, base.pages, place(`/${escaped('Kids')} [${base.unused + 1} 0 R]`)),
    () => change(plan, base.content, place(`/Filter ${random.pick(['/ASCIIHexDecode', '[]', 'null'])}`)),
    () => change(plan, base.content, place(`/${escaped('Length')} 5`)),
  ]
  random.pick(ways)()
  return assemble(plan).pdf
}

export function pageTree(base: Base, random: Random): Buffer {
  const plan = planOf(base)
  const evil = evilOf(base, 'catalog')
  for (const [number, body] of evil.more) add(plan, number, body)
  const other = base.unused + 1
  const kids = (to: string) => (body: string) => body.replace(/\/Kids\s*\[/, `/Kids [${to} `)
  const count = (by: number) => (body: string) =>
    body.replace(/\/Count\s*(\d+)/, (_, digits) => `/Count ${Number(digits) + by}`)
  const ways: (() => void)[] = [
    () => change(plan, base.pages, count(random.pick([1, -1, 5]))),
    () => change(plan, base.pages, kids(`${other} 0 R`)),
    () => change(plan, base.pages, (body) => count(1)(kids(`${other} 0 R`)(body))),
    () => change(plan, base.pages, kids('null')),
    () => change(plan, base.pages, kids(`${base.page} 0 R`)),
    () => change(plan, base.pages, (body) => count(1)(kids(`${base.page} 0 R`)(body))),
    () =>
      change(plan, base.pages, (body) => count(1)(kids(plan.parts.find(({ number }) => number === other)!.body)(body))),
    () => change(plan, base.page, (body) => body.replace(/\/Parent\s*\d+/, `/Parent ${base.unused + 2}`)),
    () => change(plan, base.pages, withEntry(`/Parent ${base.unused + 2} 0 R`)),
    () =>
      change(plan, base.page, (body) =>
        body.replace(/\/Type\s*\/Page\b/, random.pick(['/Type /Pages', '', '/Type /Template'])),
      ),
    () =>
      change(
        plan,
        base.pages,
        withEntry(`/Rotate ${random.pick(['90', '45', '-90', '450', '90.0', '(90)', '1 0 R'])}`),
      ),
    () =>
      change(
        plan,
        base.page,
        withEntry(
          `/CropBox ${random.pick(['[0 0 9 9]', '[900 900 990 990]', '[612 792 0 0]', '[0 0 0 0]', '[1 2 3]'])}`,
        ),
      ),
  ]
  random.pick(ways)()
  if (random.isSo(0.5))
    change(plan, base.unused + 2, withEntry(random.pick(['/Rotate 90', '/MediaBox [0 0 300 300]', ''])))
  return assemble(plan).pdf
}

/** Object streams whose list and cross-reference do not fit together. */
export function brokenObjectStream(base: Base, random: Random): Buffer {
  const plan = planOf(base)
  const evil = evilOf(base, random.pick(['page', 'pages', 'catalog'] as const))
  for (const [number, body] of evil.more) add(plan, number, body)
  const at = plan.parts.findIndex(({ number }) => number === evil.number)
  const [good] = plan.parts.splice(at, 1)
  const evilPart = { number: random.pick([evil.number, base.unused + 20]), body: evil.body, isListed: false }
  const parts = random.isSo() ? [good!, evilPart] : [evilPart, good!]
  plan.packed = { number: base.unused + 5, parts }
  const { pdf } = assemble(plan)
  const built = objectStream(parts)
  const ways = [
    (text: string) => text,
    (text: string) => text.replace(/\/N \d+/, random.pick(['/N 1', '/N 0', '/N 3'])),
    (text: string) => text.replace(/\/First (\d+)/, (_, first) => `/First ${Number(first) + random.pick([-1, 1, 3])}`),
    (text: string) => text.replace(/\n(\d+) (\d+) (\d+) (\d+) /, '\n$3 $2 $1 $4 '),
    (text: string) => text.replace(/\n(\d+) (\d+) (\d+) (\d+) /, '\n$1 $4 $3 $2 '),
    (text: string) => text.replace('/Type /ObjStm', '/Type /ObjStm /Extends 1 0 R'),
    (text: string) => text.replace('/Type /ObjStm', '/Type /Objstm'),
  ]
  const file = pdf.toString('latin1')
  const changed = random.pick(ways)(built)
  const padded = changed.length <= built.length ? changed.padEnd(built.length) : changed
  return Buffer.from(
    file.replace(built, () => padded),
    'latin1',
  )
}

export function oddTokens(base: Base, random: Random): Buffer {
  const plan = planOf(base)
  add(plan, base.unused, stream(evilDrawing))
  const numbers = [
    '612.',
    '+612',
    '--612',
    '612-0',
    '6e2',
    '0612',
    '612.0.1',
    '6 12',
    '612R',
    '612%x\n',
    '6\\12',
    '6#31',
  ]
  const values = [
    '/A#20B',
    '/A#',
    '/#',
    '/',
    '(a\\)b)',
    '(a(b)c)',
    '(a',
    '<6>',
    '<6g>',
    '<<>>',
    '[',
    ']',
    'nul',
    'true1',
    '@',
  ]
  const reference = (to: string) => (body: string) =>
    body.replace(/\/Contents\s*\[?\s*(\d+) \d+ R/, (all, number) =>
      all.replace(`${number} 0 R`, to.replace('N', number)),
    )
  const references = [
    '0N 0 R',
    'N 00 R',
    'N  0\nR',
    'N 0%x\nR',
    '+N 0 R',
    'N 0 r',
    'N.0 0 R',
    'N 0R',
    'N 65536 R',
    'N -0 R',
  ]
  const ways: (() => void)[] = [
    () => change(plan, base.page, withEntry(`/MediaBox [0 0 ${random.pick(numbers)} 700]`)),
    () => change(plan, base.page, withEntry(`/X ${random.pick(values)}`)),
    () => change(plan, base.page, withLast(`/X ${random.pick(values)}`)),
    () => change(plan, base.page, reference(random.pick(references))),
    () =>
      change(
        plan,
        base.page,
        withEntry(`% /Contents ${base.unused} 0 R${random.pick(['\r', '\n', '\r\n', '\f', '\0'])}`),
      ),
    () => change(plan, base.page, withEntry(`/X (\r% ) /Contents ${base.unused} 0 R (`)),
    () => change(plan, base.page, (body) => `${body} ${random.pick(['5', '<< >>', 'endobj', 'stream', '>>', '/X'])}`),
    () => change(plan, base.page, (body) => body.replaceAll(' ', random.pick(['\0', '\f', '\t', '\r', '\v']))),
    () =>
      change(plan, base.page, (body) =>
        body.replace('/Contents', random.pick(['/Con#74ents', '/Con#2374ents', '/contents'])),
      ),
  ]
  random.pick(ways)()
  return assemble(plan).pdf
}

/** Which of two objects a reference means is left open. */
export function dangling(base: Base, random: Random): Buffer {
  const plan = planOf(base)
  const evil = evilOf(base, random.pick(targets))
  for (const [number, body] of evil.more) add(plan, number, body)
  for (const part of plan.parts) if (part.number === evil.number) part.isListed = false
  if (random.isSo())
    plan.parts.push({ number: evil.number, body: evil.body, isListed: false, generation: random.below(2) })
  if (random.isSo(0.3)) change(plan, base.page, (body) => body.replace(/ 0 R/, ` ${random.pick([1, 2, 65535])} R`))
  if (random.isSo(0.3)) plan.trailer += random.pick([' /Size 3', ' /Size 1', ' /Prev 0', ' /XRefStm 0'])
  return assemble(plan).pdf
}
