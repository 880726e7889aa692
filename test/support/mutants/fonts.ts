/** Mutants whose fonts contradict themselves: their dictionaries, their programs, or the two of them. */
import { constants, inflateSync } from 'node:zlib'
import { stream } from '../pdf/written-pdf.ts'
import type { Random } from '../random.ts'
import type { Base } from './base.ts'
import { assemble, planOf } from './plan.ts'

const names = ['Symbol', 'Wingdings', 'Courier', 'Helvetica', 'ABCDEF+Nothing']
const encodings = [
  '/WinAnsiEncoding',
  '/MacRomanEncoding',
  '/MacExpertEncoding',
  '/Identity-H',
  '/Identity-V',
  '/UniGB-UCS2-H',
  '<< /Type /Encoding /Differences [53 /eight /nine] >>',
  '<< /Type /Encoding /Differences [48 /g1 /g2 /uni0035 /five.alt /.notdef /one] >>',
  '<< /Type /Encoding /BaseEncoding /MacRomanEncoding /Differences [77 /a1 /a2 /a3] >>',
]
const programs = ['FontFile', 'FontFile2', 'FontFile3']

type Bodies = Map<number, string>
type Change = (bodies: Bodies, random: Random) => void

/** Changes one of the objects that match. */
const oneOf =
  (matching: RegExp, change: (body: string, random: Random, bodies: Bodies) => string): Change =>
  (bodies, random) => {
    const found = [...bodies].filter(([, body]) => matching.test(body.slice(0, 2000)))
    if (found.length === 0) return
    const [number, body] = random.pick(found)
    bodies.set(number, change(body, random, bodies))
  }

const FONT = /\/Type\s*\/Font\b(?!Descriptor)/
const DESCRIPTOR = /\/Type\s*\/FontDescriptor/
const PROGRAM = /\/FontFile[23]?\s*\d+ \d+ R/

const withEntry = (key: string, value: string) => (body: string) =>
  body
    .replace(new RegExp(`/${key}\\s*(?:/[^\\s/<>\\[\\]]+|\\d+ \\d+ R|-?\\d+|<<[^<>]*>>|\\[[^\\]]*\\])`), '')
    .replace('<<', `<< /${key} ${value} `)

const changes: readonly Change[] = [
  oneOf(FONT, (body, random) => withEntry('Encoding', random.pick(encodings))(body)),
  oneOf(FONT, (body) => body.replace(/\/Encoding\s*(?:\/[\w-]+|\d+ \d+ R)/, '')),
  oneOf(FONT, (body, random) =>
    withEntry(
      'Subtype',
      random.pick(['/Type1', '/TrueType', '/MMType1', '/Type0', '/CIDFontType0', '/CIDFontType2']),
    )(body),
  ),
  oneOf(FONT, (body, random) => withEntry('BaseFont', `/${random.pick(names)}`)(body)),
  oneOf(FONT, (body, random) => withEntry('DW', String(random.pick([0, 300, 2000])))(body)),
  oneOf(FONT, (body) => body.replace(/\/(?:Widths|W)\s*(?:\d+ \d+ R|\[[^\]]*\])/, '')),
  oneOf(FONT, (body, random) => withEntry('FirstChar', String(random.below(60)))(body)),
  oneOf(/\/CIDToGIDMap/, (body) => body.replace(/\/CIDToGIDMap\s*(?:\/\w+|\d+ \d+ R)/, '')),
  oneOf(DESCRIPTOR, (body, random) => withEntry('Flags', String(random.pick([0, 4, 32, 36, 1 << 18])))(body)),
  oneOf(DESCRIPTOR, (body) => body.replace(PROGRAM, '')),
  oneOf(DESCRIPTOR, (body, random) => body.replace(/\/FontFile[23]?/, `/${random.pick(programs)}`)),
  oneOf(DESCRIPTOR, (body, random, bodies) => {
    const others = [...bodies.values()].flatMap((other) => PROGRAM.exec(other) ?? [])
    return others.length > 0 ? body.replace(PROGRAM, random.pick(others)) : body
  }),
  (bodies, random) => {
    const fonts = [...bodies].filter(([, body]) => FONT.test(body.slice(0, 2000)))
    if (fonts.length > 0) bodies.set(random.pick(fonts)[0], random.pick(fonts)[1])
  },
  damagedProgram,
  damagedProgram,
  damagedProgram,
]

function damagedProgram(bodies: Bodies, random: Random): void {
  const numbers = [...bodies.values()].flatMap((body) => {
    const found = /\/FontFile[23]?\s*(\d+) \d+ R/.exec(body)
    return found ? [Number(found[1])] : []
  })
  if (numbers.length === 0) return
  const number = random.pick(numbers)
  const body = bodies.get(number)
  const parts = body && /^([\s\S]*?>>)\s*stream\r?\n([\s\S]*?)\r?\n?endstream/.exec(body)
  if (!parts) return
  const stored = Buffer.from(parts[2]!, 'latin1')
  const isPacked = parts[1]!.includes('FlateDecode')
  const program = isPacked ? inflateSync(stored, { finishFlush: constants.Z_SYNC_FLUSH }) : stored
  for (let times = 1 + random.below(6); times > 0; times--) {
    // The first part has the tables that say which glyph is which.
    const at = random.below(random.isSo() ? Math.min(1500, program.length) : program.length)
    program[at] = random.below(256)
  }
  const subtype = /\/Subtype\s*\/\w+/.exec(parts[1]!)?.[0] ?? ''
  const kept = random.isSo(0.1) ? program.subarray(0, random.below(program.length)) : program
  bodies.set(number, stream(kept.toString('latin1'), `${subtype} /Length1 ${kept.length}`))
}

export function fonts(base: Base, random: Random): Buffer {
  const bodies: Bodies = new Map(base.bodies)
  for (let times = 1 + random.below(2); times > 0; times--) random.pick(changes)(bodies, random)
  const plan = planOf(base)
  plan.parts = [...bodies].map(([number, body]) => ({ number, body, isListed: true }))
  if (random.isSo(0.2)) plan.form = 'stream'
  return assemble(plan).pdf
}
