/** What pictures of pages cost: a document that is drawn at ingestion and signed, and a page of the inbox; beside PDFium alone. */
import { PDFDocument } from 'pdf-lib'
import { defaultLimits } from '../../../lib/pdf/guard/limits.ts'
import { viewDocument } from '../../../server/pdf/compare/viewed-document.ts'
import { withViewer } from '../../../server/pdf/compare/viewer.ts'
import { completeDocument } from '../../../server/pdf/complete.ts'
import { drawDocument, USUAL_DPI } from '../../../server/pdf/draw/draw-document.ts'
import { showPage } from '../../../server/pdf/draw/shown-page.ts'
import { fixture } from '../../support/fixtures.ts'
import { aCompletion, aField } from '../../support/pdf/a-completion.ts'
import { medianTime } from './median-time.ts'
import { type Row, RUNS } from './row.ts'

const WARM_UP = 20
const PAGES = 10
/** Of a page at the desk on a screen of usual size. */
const WIDTH = 1_000

export async function drawnRows(): Promise<Row[]> {
  const pdf = fixture('pdf/orders/libreoffice-order.pdf')
  const draw = async () => {
    const result = await drawDocument(pdf, defaultLimits)
    if (!result.ok) throw new Error(result.problem)
    return result.pdf
  }
  const drawn = await draw()
  const completion = await aCompletion({ fields: [aField()] })
  const sign = async () => {
    const result = await completeDocument(drawn, completion)
    if (!result.ok) throw new Error(result.problem)
  }
  const show = () => showPage(pdf, { page: 1, width: WIDTH, inked: null, isSigned: false })
  const inPdfium = (scale: (width: number) => number) => () =>
    withViewer(async ({ pdfium }) => {
      viewDocument(pdfium, pdf).drawPage(0, ({ width, height }) => ({
        width: Math.round(width * scale(width)),
        height: Math.round(height * scale(width)),
      }))
    })
  const loadAndSave = async () => void (await (await PDFDocument.load(drawn, { updateMetadata: false })).save())
  const kilobytes = Math.round(drawn.length / 1000)
  return [
    await rowOf(`Draw a page at ingestion (${USUAL_DPI} dpi; ${kilobytes} kB)`, draw, {
      what: 'PDFium alone, in as many pixels',
      work: inPdfium(() => USUAL_DPI / 72),
    }),
    await rowOf('Sign a drawn document of one page, one thread', sign, { what: 'load and save', work: loadAndSave }),
    await rowOf(`Show a page in the inbox (${WIDTH} pixels wide, with its text)`, show, {
      what: 'PDFium alone, in as many pixels',
      work: inPdfium((width) => WIDTH / width),
    }),
  ]
}

async function rowOf(work: string, run: () => unknown, floor: { what: string; work: () => unknown }): Promise<Row> {
  await medianTime(run, WARM_UP)
  await medianTime(floor.work, WARM_UP)
  const ours: number[] = []
  const values: number[] = []
  for (let n = 0; n < RUNS; n++) {
    ours.push(await medianTime(run, PAGES))
    values.push(await medianTime(floor.work, PAGES))
  }
  return { work, unit: 'ms', ours, floor: { what: floor.what, values } }
}
