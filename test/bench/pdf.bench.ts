/**
 * What reading and sealing a document costs, each beside its floor in the same run:
 * locate against `pdftotext -bbox` (with its process; when installed), stamp and seal against loading and saving the same
 * file with the same library. Prints a table; ends within half a minute. `node test/bench/pdf.bench.ts`
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { PDFDocument } from 'pdf-lib'
import { fontExtents } from '../../lib/pdf/font-extents.ts'
import { defaultLimits } from '../../lib/pdf/limits.ts'
import { needlesOf } from '../../lib/pdf/placement.ts'
import { inspectPdf } from '../../lib/pdf/source.ts'
import { openStructure } from '../../lib/pdf/structure.ts'
import { locate } from '../../lib/pdf/text.ts'
import { completeDocument } from '../../server/pdf/complete.ts'
import { verifySealed } from '../../server/pdf/verify.ts'
import { aCompletion, aField } from '../support/a-completion.ts'
import { fixture } from '../support/fixtures.ts'

const documents = [
  'orders/reportlab-plain-order.pdf',
  'orders/chromium-order.pdf',
  'orders/ghostscript-order.pdf',
  'orders/libreoffice-order.pdf',
  'producers/latex_t1.pdf',
  'producers/chromium__crop_rot90.pdf',
]
const RUNS = 7
const WARM_UP = 3

/** Median of the runs, in milliseconds. */
async function median(work: () => unknown): Promise<number> {
  const times: number[] = []
  for (let run = -WARM_UP; run < RUNS; run++) {
    const start = performance.now()
    await work()
    if (run >= 0) times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)]!
}

const hasPoppler = spawnSync('pdftotext', ['-v']).error === undefined
const completion = await aCompletion({ fields: [aField()] })
const { kind, texts } = needlesOf({ type: 'SmartAnnotations' })!
const ms = (value: number) => value.toFixed(1).padStart(7)
const times = (value: number, floor: number) => `${(value / floor).toFixed(2)}×`.padStart(7)

console.log(
  'document, ms'.padEnd(36),
  'inspect',
  ' locate',
  'poppler',
  '  ratio',
  '   seal',
  'ld+save',
  '  ratio',
  ' verify',
)
const ratios = { locate: [] as number[], seal: [] as number[] }
for (const name of documents) {
  const pdf = fixture(`pdf/${name}`)
  const file = fileURLToPath(new URL(`../fixtures/pdf/${name}`, import.meta.url))
  const inspect = await median(() => inspectPdf(pdf, defaultLimits))
  const located = await median(async () => {
    const opened = await openStructure(pdf)
    if (opened.ok) await locate(pdf, texts, { kind, extents: fontExtents(opened.doc) })
  })
  const poppler = hasPoppler ? await median(() => spawnSync('pdftotext', ['-bbox', file, '-'])) : Number.NaN
  const result = await completeDocument(pdf, completion)
  if (!result.ok) throw new Error(`${name}: ${result.problem}`)
  const seal = await median(() => completeDocument(pdf, completion))
  const floor = await median(async () => (await PDFDocument.load(pdf, { updateMetadata: false })).save())
  const verify = await median(() => verifySealed(result.pdf, completion.seal.certificatePem))
  ratios.locate.push(located / poppler)
  ratios.seal.push(seal / floor)
  console.log(
    name.padEnd(36),
    ms(inspect),
    ms(located),
    ms(poppler),
    times(located, poppler),
    ms(seal),
    ms(floor),
    times(seal, floor),
    ms(verify),
  )
}
const middle = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!.toFixed(2)
console.log(
  `locate: median ${hasPoppler ? `${middle(ratios.locate)}× pdftotext -bbox` : 'without pdftotext, which is not installed'}`,
)
console.log(
  `stamp, certificate page, seal and reading back: median ${middle(ratios.seal)}× loading and saving the file`,
)
