import { expect } from 'chai'
import type { Annotations } from '../../lib/contract/task/annotations.ts'
import { createPdfPool, type PdfPoolOptions } from '../../server/pdf/workers/pool.ts'
import { PHRASE } from '../support/pdf/order-pdf.ts'
import { aCreateBody, TEMPLATE } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const ways = {
  tokens: { type: 'SmartAnnotations' },
  texts: {
    type: 'ReferenceText',
    data: [{ type: 'VisibleSignature', referenceText: PHRASE, offsetX: 5, offsetY: 0 }],
  },
  places: {
    type: 'Json',
    data: [{ type: 'VisibleSignature', pageNumber: 1, left: 72, top: 600, right: 252, bottom: 636 }],
  },
} as const satisfies Record<string, Annotations>

describe('a document whose fields were placed when it was accepted', () => {
  let service: TestService
  let opened = 0
  let tokens: readonly string[] | null = null

  /** The pool of the service, which counts what is opened for ingestion; `tokens` are those of a host that has changed them. */
  function createPool(options: PdfPoolOptions) {
    const pool = createPdfPool(options)
    return {
      ...pool,
      get tokens() {
        return tokens ?? pool.tokens
      },
      place(...given: Parameters<typeof pool.place>) {
        opened++
        return pool.place(...given)
      },
    }
  }

  before(async () => {
    service = await aService({ createPool })
  })
  after(() => service?.stop())
  beforeEach(() => {
    opened = 0
    tokens = null
  })

  async function presented(annotations: Annotations) {
    const taskId = await service.create(aCreateBody({ document: { annotations, diagnosisCode: 'I50.9' } }))
    await service.reaches(taskId, 'Pending')
    return opened
  }

  for (const [way, annotations] of Object.entries(ways))
    it(`is not opened again by ingestion: ${way}`, async () => {
      expect(await presented(annotations)).to.equal(0)
    })

  it('is opened again for the fields of a template, and when the host writes its tokens differently by now', async () => {
    expect(await presented({ type: 'Template', templateId: TEMPLATE.certification })).to.equal(1)
    tokens = ['{ACME-signature}']
    expect(await presented(ways.tokens)).to.equal(2)
  })
})
