/** Stamp, certificate page, seal and all checks, in one thread; beside loading and saving the same file with the same library. */
import { PDFDocument } from 'pdf-lib'
import { completeDocument } from '../../../server/pdf/complete.ts'
import { InflateAtOnce } from '../../../server/pdf/workers/inflate-at-once.ts'
import { fixture } from '../../support/fixtures.ts'
import { aCompletion, aField } from '../../support/pdf/a-completion.ts'
import { medianTime } from './median-time.ts'
import { type Row, RUNS } from './row.ts'

/** After these, most of what they take is compiled. */
const WARM_UP = 100
const DOCUMENTS = 20

export async function signRow(): Promise<Row> {
  // As threads of the service have it.
  globalThis.DecompressionStream = InflateAtOnce
  const pdf = fixture('pdf/orders/libreoffice-order.pdf')
  const completion = await aCompletion({ fields: [aField()] })
  const complete = async () => {
    const result = await completeDocument(pdf, completion)
    if (!result.ok) throw new Error(result.problem)
  }
  const loadAndSave = async () => void (await (await PDFDocument.load(pdf, { updateMetadata: false })).save())
  await medianTime(complete, WARM_UP)
  await medianTime(loadAndSave, WARM_UP)
  const ours: number[] = []
  const floor: number[] = []
  for (let run = 0; run < RUNS; run++) {
    ours.push(await medianTime(complete, DOCUMENTS))
    floor.push(await medianTime(loadAndSave, DOCUMENTS))
  }
  return {
    work: 'Sign: stamp, certificate page, seal, compare, verify (order of 36 kB, one thread)',
    unit: 'ms',
    ours,
    floor: { what: 'load and save', values: floor },
  }
}
