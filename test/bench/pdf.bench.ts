/**
 * What reading and sealing a document costs, in a thread that has been at work for a while; stamp and seal beside loading and saving
 * the same file with the same library. Finding the places of fields is measured by `npm run bench -- overview`. Prints a table.
 * `npm run bench -- pdf`
 */
import { PDFDocument } from 'pdf-lib'
import { defaultLimits } from '../../lib/pdf/guard/limits.ts'
import { inspectPdf } from '../../lib/pdf/guard/source.ts'
import { defaultActiveContentPolicy } from '../../lib/pdf/prepare/active-content.ts'
import { preparePdf } from '../../lib/pdf/prepare/prepare.ts'
import { verifySealed } from '../../lib/pdf/seal/verify.ts'
import { withContent } from '../../lib/pdf/text/content-reader.ts'
import { acceptDocument } from '../../server/pdf/accept.ts'
import { differenceFromShown } from '../../server/pdf/compare/same-as-shown.ts'
import { completeDocument } from '../../server/pdf/complete.ts'
import { InflateAtOnce } from '../../server/pdf/workers/inflate-at-once.ts'
import { fixture } from '../support/fixtures.ts'
import { aCompletion, aField } from '../support/pdf/a-completion.ts'
import { aPdf } from '../support/pdf/a-pdf.ts'
import { medianTime } from './overview/median-time.ts'
import { median } from './overview/row.ts'

const documents = [
  'orders/reportlab-plain-order.pdf',
  'orders/chromium-order.pdf',
  'orders/ghostscript-order.pdf',
  'orders/libreoffice-order.pdf',
  'producers/latex_t1.pdf',
  'producers/chromium__crop_rot90.pdf',
]
const RUNS = 7
/** After these, most of what they take is compiled. */
const WARM_UP = 60

/** Median of the runs, in milliseconds. */
async function warmTime(work: () => unknown, runs = RUNS): Promise<number> {
  await medianTime(work, runs === 1 ? 1 : WARM_UP)
  return medianTime(work, runs)
}

// As the threads that read documents.
globalThis.DecompressionStream = InflateAtOnce

const completion = await aCompletion({ fields: [aField()] })
const ms = (value: number) => value.toFixed(1).padStart(7)
const times = (value: number, floor: number) => `${(value / floor).toFixed(2)}×`.padStart(7)

console.log('document, ms'.padEnd(36), 'inspect', '   seal', 'ld+save', '  ratio', ' verify')
const ratios: number[] = []
for (const name of documents) {
  const pdf = fixture(`pdf/${name}`)
  const inspect = await warmTime(() => inspectPdf(pdf, defaultLimits))
  const result = await completeDocument(pdf, completion)
  if (!result.ok) throw new Error(`${name}: ${result.problem}`)
  const seal = await warmTime(() => completeDocument(pdf, completion))
  const floor = await warmTime(async () => (await PDFDocument.load(pdf, { updateMetadata: false })).save())
  const verify = await warmTime(() => verifySealed(result.pdf, completion.seal.certificatePem))
  ratios.push(seal / floor)
  console.log(name.padEnd(36), ms(inspect), ms(seal), ms(floor), times(seal, floor), ms(verify))
}
await tellWhatAcceptingCosts()
console.log(
  `stamp, certificate page, seal and reading back: median ${median(ratios).toFixed(2)}× loading and saving the file`,
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
  const prepare = await warmTime(() => preparePdf(pdf, defaultActiveContentPolicy), runs)
  const accept = await warmTime(() => acceptDocument(pdf, defaultLimits, defaultActiveContentPolicy), runs)
  const accepted = await acceptDocument(pdf, defaultLimits, defaultActiveContentPolicy)
  if (!accepted.ok) throw new Error(`${name}: ${accepted.problem}`)
  const sealed = await completeDocument(accepted.pdf, completion)
  if (!sealed.ok) throw new Error(`${name}: ${sealed.problem}`)
  const places = { boxes: new Map([[1, [aField().box]]]), addedPages: 1 }
  const compareOnce = () =>
    withContent(sealed.pdf, (content) => differenceFromShown(accepted.pdf, { pdf: sealed.pdf, content, ...places }))
  const compare = await warmTime(compareOnce, runs)
  console.log(name.padEnd(36), ms(prepare), ms(accept), ms(compare))
}

function aLongDocument(pageCount: number): Promise<Uint8Array> {
  const line = (y: number) => `1 0 0 1 72 ${y} Tm (Take one tablet with food every morning and call before eight.) Tj`
  const lines = Array.from({ length: 40 }, (_, i) => line(740 - 16 * i)).join('\n')
  return aPdf(...Array.from({ length: pageCount }, () => ({ content: `BT /F1 11 Tf ${lines} ET` })))
}
