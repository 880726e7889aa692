/**
 * What reading and sealing a document costs, each beside its floor in the same run:
 * locate against `pdftotext -bbox` (with its process; when installed), stamp and seal against loading and saving the same
 * file with the same library. Prints a table; ends within half a minute. `node test/bench/pdf.bench.ts`
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { PDFDocument } from 'pdf-lib'
import { defaultLimits } from '../../lib/pdf/guard/limits.ts'
import { inspectPdf } from '../../lib/pdf/guard/source.ts'
import { openStructure } from '../../lib/pdf/guard/structure.ts'
import { needlesOf } from '../../lib/pdf/placement/placement.ts'
import { defaultActiveContentPolicy } from '../../lib/pdf/prepare/active-content.ts'
import { preparePdf } from '../../lib/pdf/prepare/prepare.ts'
import { withContent } from '../../lib/pdf/text/content-reader.ts'
import { fontExtents } from '../../lib/pdf/text/font-extents.ts'
import { locate } from '../../lib/pdf/text/text.ts'
import { acceptDocument } from '../../server/pdf/accept.ts'
import { differenceFromShown } from '../../server/pdf/compare/same-as-shown.ts'
import { completeDocument } from '../../server/pdf/complete.ts'
import { verifySealed } from '../../server/pdf/seal/verify.ts'
import { fixture } from '../support/fixtures.ts'
import { aCompletion, aField } from '../support/pdf/a-completion.ts'
import { aPdf } from '../support/pdf/a-pdf.ts'

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
async function median(work: () => unknown, runs = RUNS): Promise<number> {
  const times: number[] = []
  for (let run = -Math.min(WARM_UP, runs); run < runs; run++) {
    const start = performance.now()
    await work()
    if (run >= 0) times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)]!
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
await tellWhatAcceptingCosts()
console.log(
  `stamp, certificate page, seal and reading back: median ${middle(ratios.seal)}× loading and saving the file`,
)

/** Accepting with nothing to do, and with a form; comparing, which is part of sealing, also for long documents. */
async function tellWhatAcceptingCosts(): Promise<void> {
  console.log('document, ms'.padEnd(36), 'prepare', ' accept', 'compare')
  for (const name of ['orders/chromium-order.pdf', 'forms/reportlab-form.pdf', 'forms/pdf-lib-form.pdf']) {
    await tell(name, fixture(`pdf/${name}`), RUNS)
  }
  for (const pageCount of [60, 500]) await tell(`${pageCount} pages of text`, await aLongDocument(pageCount), 1)
}

async function tell(name: string, pdf: Uint8Array, runs: number): Promise<void> {
  const prepare = await median(() => preparePdf(pdf, defaultActiveContentPolicy), runs)
  const accept = await median(() => acceptDocument(pdf, defaultLimits, defaultActiveContentPolicy), runs)
  const accepted = await acceptDocument(pdf, defaultLimits, defaultActiveContentPolicy)
  if (!accepted.ok) throw new Error(`${name}: ${accepted.problem}`)
  const sealed = await completeDocument(accepted.pdf, completion)
  if (!sealed.ok) throw new Error(`${name}: ${sealed.problem}`)
  const places = { boxes: new Map([[1, [aField().box]]]), addedPages: 1 }
  const compareOnce = () =>
    withContent(sealed.pdf, (content) => differenceFromShown(accepted.pdf, { pdf: sealed.pdf, content, ...places }))
  const compare = await median(compareOnce, runs)
  console.log(name.padEnd(36), ms(prepare), ms(accept), ms(compare))
}

function aLongDocument(pageCount: number): Promise<Uint8Array> {
  const line = (y: number) => `1 0 0 1 72 ${y} Tm (Take one tablet with food every morning and call before eight.) Tj`
  const lines = Array.from({ length: 40 }, (_, i) => line(740 - 16 * i)).join('\n')
  return aPdf(...Array.from({ length: pageCount }, () => ({ content: `BT /F1 11 Tf ${lines} ET` })))
}
