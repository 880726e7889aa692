/** Mutants of good orders, each meant to be two documents in two of the readers of this world. The same for the same seed. */
import { PDFDocument } from 'pdf-lib'
import { fixture } from '../fixtures.ts'
import { aDocument } from '../pdf/a-pdf.ts'
import { order, stream, text, updatedPdf, writtenPdf } from '../pdf/written-pdf.ts'
import { type Random, randomFrom } from '../random.ts'
import { type Base, baseOf } from './base.ts'
import { layers, operators, paints } from './contents.ts'
import { exchanged, hybrid, junkHeader, linearized, shifted, staleUpdate, twoCatalogs } from './cross-references.ts'
import { anotherGeneration, duplicated, hidden, packedAndPlain } from './duplicates.ts'
import { fonts } from './fonts.ts'
import { havoc } from './havoc.ts'
import { brokenObjectStream, dangling, doubleKeys, lengthLies, oddTokens, pageTree } from './structure.ts'

export interface Mutant {
  /** For example `duplicated 17 of chromium-order`. */
  name: string
  kind: string
  pdf: Buffer
}

const kinds: Readonly<Record<string, (base: Base, random: Random) => Buffer>> = {
  duplicated,
  'another generation': anotherGeneration,
  hidden,
  'packed and plain': packedAndPlain,
  shifted,
  exchanged,
  'stale update': staleUpdate,
  hybrid,
  'two catalogs': twoCatalogs,
  'junk header': junkHeader,
  linearized,
  'length lies': lengthLies,
  'double keys': doubleKeys,
  'page tree': pageTree,
  'broken object stream': brokenObjectStream,
  'odd tokens': oddTokens,
  dangling,
  layers,
  paints,
  operators,
  fonts,
  havoc,
}

const fixtures = [
  'orders/reportlab-plain-order',
  'orders/chromium-order',
  'producers/latex_t1',
  'producers/lo_html__lin',
]

export async function basesOfMutants(): Promise<Base[]> {
  const simple = writtenPdf(order())
  const packed = await (await aDocument({ content: text('Morphine 5 mg') }, { content: text('Second page') })).save()
  const plain = await PDFDocument.load(packed, { updateMetadata: false })
  return [
    baseOf('simple', simple.pdf),
    baseOf('updated', updatedPdf(simple, { 5: stream(text('Morphine 6 mg')) }).pdf),
    baseOf('packed', Buffer.from(packed)),
    baseOf('plain', Buffer.from(await plain.save({ useObjectStreams: false }))),
    ...fixtures.map((name) => baseOf(name, Buffer.from(fixture(`pdf/${name}.pdf`)))),
  ]
}

/** The kinds and bases take turns. */
export function* mutants(bases: readonly Base[], seed: number, count: number): Generator<Mutant> {
  const names = Object.keys(kinds)
  for (let number = 0; number < count; number++) {
    const random = randomFrom(seed * 1_000_003 + number)
    const kind = names[number % names.length]!
    const base = bases[Math.floor(number / names.length) % bases.length]!
    yield { name: `${kind} ${number} of ${base.name}`, kind, pdf: kinds[kind]!(base, random) }
  }
}
