/** Documents that come to harm between the signer's eyes and the seal: nothing is sealed, and the task waits as before. */
import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { PDFName } from 'pdf-lib'
import type { TaskFile } from '../../server/operations/operator/messages/tasks.ts'
import type { Opened } from '../../server/operations/signer/messages.ts'
import { completeDocument } from '../../server/pdf/complete.ts'
import { stampFields } from '../../server/pdf/ink/stamp.ts'
import { createPdfPool, type PdfPool, type PdfPoolOptions } from '../../server/pdf/workers/pool.ts'
import { aVisit, type Visit } from '../support/browser/a-visit.ts'
import { aService, type TestService } from '../support/service/a-service.ts'
import { aWaitingOrder } from '../support/service/a-waiting-order.ts'

type Stamp = typeof stampFields
type Harm = (...given: Parameters<Stamp>) => void

/** Draws over the first page, as a fault of the ink could. */
const overdraws: Harm = (doc) => doc.getPage(0).drawRectangle({ x: 72, y: 695, width: 90, height: 20 })

/** Gives the document more form fields than verification reads; they show nothing. */
const overfills: Harm = ({ catalog, context }) => {
  const fields = Array.from({ length: 10_001 }, () => ({}))
  catalog.set(PDFName.of('AcroForm'), context.obj({ Fields: fields }))
}

describe('a document that comes to harm while it is signed', () => {
  let harm: Harm | null = null
  let service: TestService
  let signer: Visit
  let operator: Visit
  before(async () => {
    service = await aService({ createPool })
    signer = aVisit(service.baseUrl)
    operator = aVisit(service.baseUrl)
    await signer.signInAs('Ruth Calder DO')
    await operator.signInAs('Service operator')
  })
  after(() => service?.stop())

  /** The pool of the service; what its workers do with a signed document is done here, with the harm in between. */
  function createPool(options: PdfPoolOptions): PdfPool {
    const stamp: Stamp = async (...given) => {
      const drawn = await stampFields(...given)
      harm?.(...given)
      return drawn
    }
    return {
      ...createPdfPool(options),
      async complete(pdf, completion) {
        const completed = await completeDocument(pdf, completion, { stamp })
        return completed.ok
          ? { ...completed, sha256: createHash('sha256').update(completed.pdf).digest('hex') }
          : completed
      },
    }
  }

  const path = (taskId: number, rest = '') => `/inbox/api/documents/${taskId}${rest}`
  async function sign(taskId: number) {
    const { sha256, fields } = (await signer.ask<Opened>('GET', path(taskId))).body
    const values = { [fields.findIndex(({ type }) => type === 'CheckBox')]: true }
    const body = { sha256, values, drawn: null, keep: false, timeZone: 'UTC' }
    const { status, errors } = await signer.ask('POST', path(taskId, '/sign'), body)
    return [status, ...errors]
  }
  const sent = async (taskId: number) => {
    const query = { includeOutputAttachment: true }
    const { status, output } = await service.client.readTask({ params: { id: taskId }, query })
    return { status, signed: output?.attachment ?? null }
  }
  async function storyOf(taskId: number) {
    const { story, events } = (await operator.ask<TaskFile>('GET', `/admin/v1/tasks/${taskId}`)).body
    return { acts: story.map(({ kind, by }) => `${kind} by ${by.kind}`), events: events.length }
  }

  const cases: readonly [what: string, harm: Harm, problem: string, action: string][] = [
    [
      'would be something else than was shown',
      overdraws,
      'it would not be what the signer was shown: page 1 looks different',
      'document.differ',
    ],
    [
      'would have a seal that does not verify',
      overfills,
      'its seal would not be valid: the document is damaged; print it to PDF again',
      'seal.fail',
    ],
  ]
  for (const [what, done, problem, action] of cases) {
    it(`is not sealed when it ${what}: the signer reads why, the log tells it, and the task stays Pending`, async () => {
      const taskId = await aWaitingOrder(service)
      const before = await storyOf(taskId)
      harm = done
      expect(await sign(taskId)).to.deep.equal([400, `The document could not be signed: ${problem}`])
      expect(await sent(taskId)).to.deep.equal({ status: 'Pending', signed: null })
      expect((await signer.ask('GET', path(taskId))).status).to.equal(200)
      expect(await storyOf(taskId)).to.deep.equal({ ...before, acts: [...before.acts, `${action} by signer`] })

      harm = null
      expect(await sign(taskId)).to.deep.equal([204])
      expect(await sent(taskId)).to.have.property('status', 'Completed')
    })
  }
})
