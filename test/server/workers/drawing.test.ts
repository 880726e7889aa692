/** Documents that are not plain: drawn by ingestion, with the original kept as it was received. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { preparationSentences } from '../../../lib/pdf/prepare/preparation.ts'
import type { TaskFile } from '../../../server/operations/operator/messages/tasks.ts'
import type { Opened } from '../../../server/operations/signer/messages.ts'
import { createPdfPool } from '../../../server/pdf/workers/pool.ts'
import { aFolder } from '../../support/a-folder.ts'
import { aVisit } from '../../support/browser/a-visit.ts'
import { fixture } from '../../support/fixtures.ts'
import { base64 } from '../../support/pdf/order-pdf.ts'
import { textOf } from '../../support/seen/text-of.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { claim, trigger } from '../../support/service/task-steps.ts'
import { aPostgres, query, type TestPostgres } from '../../support/store/postgres/a-postgres.ts'
import { AT, facts, kindOf, later, newTask, organization, PDF, storesIn } from '../store/stores-in.ts'

/** A page whose content is not within the grammar. */
const ODD = fixture('pdf/unusual/contents-with-null.pdf')
const digestOf = (pdf: Uint8Array) => createHash('sha256').update(pdf).digest('hex')
const BECAUSE = /^Its pages were converted to pictures, because .+\.$/

const bodyOf = (pdf: Uint8Array) =>
  aCreateBody({
    document: {
      attachment: base64(pdf),
      annotations: {
        type: 'Json',
        data: [
          { type: 'VisibleSignature', required: true, pageNumber: 1, left: 72, top: 100, right: 252, bottom: 136 },
        ],
      },
    },
  })

describe('a document that is drawn', () => {
  let service: TestService
  before(async () => {
    service = await aService({ staffDocuments: 'all', unsignedPdf: 'view' })
  })
  after(() => service.stop())

  it('is accepted at once and drawn by ingestion; everyone can read why, and its original is kept', async () => {
    const created = await service.client.createTask({ body: bodyOf(ODD) })
    expect(created.status).to.equal('Received')
    const task = await service.reaches(created.taskId, 'Pending')
    const receivedSha256 = digestOf(ODD)
    expect(task.output!.preparation).to.include({ kind: 'drawn', receivedSha256 })
    expect(task.output!.preparation!.reason).to.match(BECAUSE)

    const calder = aVisit(service.baseUrl)
    await calder.signInAs('Ruth Calder DO')
    const opened = (await calder.ask<Opened>('GET', `/inbox/api/documents/${created.taskId}`)).body
    expect(opened).to.include({ receivedSha256 })
    const { bytes: shown } = await calder.ask('GET', `/inbox/api/documents/${created.taskId}/copy`)
    expect(digestOf(shown)).to.equal(opened.sha256).and.not.equal(receivedSha256)

    const operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    const file = async () => (await operator.ask<TaskFile>('GET', `/admin/v1/tasks/${created.taskId}`)).body
    expect((await file()).task).to.include({ receivedSha256, hasOriginal: true })
    const original = await operator.ask('GET', `/admin/v1/tasks/${created.taskId}/documents/original`)
    expect(original.headers.get('content-disposition')).to.match(/^attachment; filename="task-\d+-original\.pdf"$/)
    expect(Buffer.from(ODD).equals(original.bytes)).to.equal(true)
    expect((await file()).story.map(({ sentence }) => sentence)).to.include(
      'Document as it was received opened in the console by Service operator.',
    )
    // A signer may not have it, nor another organization.
    expect((await calder.ask('GET', `/admin/v1/tasks/${created.taskId}/documents/original`)).status).to.equal(403)
    const other = await service.other.createTask({ body: bodyOf(ODD) })
    await service.reaches(other.taskId, 'Pending', service.otherKey)
    const administrator = aVisit(service.baseUrl)
    await administrator.signInAs('Willow Creek administrator')
    const path = (id: number) => `/admin/v1/tasks/${id}/documents/original`
    expect((await administrator.ask('GET', path(created.taskId))).status).to.equal(200)
    expect((await administrator.ask('GET', path(other.taskId))).status).to.equal(404)

    await service.signs(created.taskId)
    expect((await service.reaches(created.taskId, 'Completed')).output!.preparation).to.include({ kind: 'drawn' })
    const read = { params: { id: created.taskId }, query: { includeOutputAttachment: true } }
    const { output } = await service.client.readTask(read)
    const certificate = (await textOf(output!.attachment!)).replace(/\s+/g, ' ')
    expect(certificate, 'on the certificate page').to.include(preparationSentences.drawnForContent)
    expect(certificate.replaceAll(' ', '')).to.include(receivedSha256)
  })

  it('has the resolution of the settings', async () => {
    const coarse = await aService({ drawingDpi: 100, unsignedPdf: 'view' })
    try {
      const taskId = await coarse.create(bodyOf(ODD))
      await coarse.reaches(taskId, 'Pending')
      const calder = aVisit(coarse.baseUrl)
      await calder.signInAs('Ruth Calder DO')
      const { bytes } = await calder.ask('GET', `/inbox/api/documents/${taskId}/copy`)
      expect(bytes.toString('latin1'))
        .to.match(/\/Width 850\b/)
        .and.match(/\/Height 1100\b/)
    } finally {
      await coarse.stop()
    }
  })

  it('has no original where it is plain', async () => {
    const taskId = await service.create(aCreateBody())
    const task = await service.reaches(taskId, 'Pending')
    expect(task.output!.preparation).to.include({ kind: 'plain', reason: null })
    const operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    expect((await operator.ask<TaskFile>('GET', `/admin/v1/tasks/${taskId}`)).body.task.hasOriginal).to.equal(false)
    expect((await operator.ask('GET', `/admin/v1/tasks/${taskId}/documents/original`)).status).to.equal(404)
  })

  it('fails in ingestion with the true reason where it cannot be drawn', async () => {
    const impatient = await aService({
      createPool: (options) => createPdfPool({ ...options, limits: { ...options.limits, drawTimeoutMs: -1 } }),
    })
    try {
      const taskId = await impatient.create(bodyOf(ODD))
      const { statusReason, documentId } = await impatient.reaches(taskId, 'Failed')
      expect(statusReason).to.match(/^document\.attachment: takes more than .+; print it to PDF again\.$/)
      expect(documentId).to.equal(null)
    } finally {
      await impatient.stop()
    }
  })
})

describe('The store of drawn documents', function () {
  this.timeout(60_000)
  let postgres: TestPostgres | undefined
  before(async () => {
    postgres = await aPostgres()
  })
  after(() => postgres?.stop())

  const inFolder = async () => {
    const data = aFolder()
    const ask = async (sql: string) => {
      const database = new DatabaseSync(join(data, 'countersign.sqlite'))
      try {
        return database.prepare(sql).all()
      } finally {
        database.close()
      }
    }
    return { data, query: ask, everything: async () => Buffer.alloc(0) }
  }
  const inPostgres = async () => {
    const data = await postgres!.database()
    return { data, query: (sql: string) => query(data, sql), everything: async () => Buffer.alloc(0) }
  }

  for (const [name, place] of [
    ['SQLite', inFolder],
    ['PostgreSQL', inPostgres],
  ] as const)
    describe(`in ${name}`, () => {
      const stores = storesIn(place)
      const DRAWN = { pdf: Buffer.from('%PDF-1.7 pictures'), sha256: 'ab'.repeat(32) }

      async function claimed() {
        const store = await stores.open()
        const sender = await organization(store)
        const { id } = await store
          .forOrganization(sender)
          .tasks.create(newTask({ preparations: ['drawnForContent'] }), AT)
        const [task] = await claim(store, AT, later(15), 10)
        return { store, id, task: task! }
      }
      const refusal = (work: Promise<unknown>) => work.then(() => 'done', kindOf)

      it('keeps what was drawn once, beside the original, and removes both with the task', async () => {
        const { store, id } = await claimed()
        expect(await store.ingestion.receivedPdf(id)).to.equal(null)
        expect((await store.ingestion.pdfToDraw(id))!.equals(PDF)).to.equal(true)
        await store.ingestion.keepDrawn(id, DRAWN, AT)
        expect(await store.ingestion.pdfToDraw(id)).to.equal(null)
        expect((await store.ingestion.receivedPdf(id))!.equals(DRAWN.pdf)).to.equal(true)
        // Another worker that still drew it, after its lease had ended.
        expect(await refusal(store.ingestion.keepDrawn(id, DRAWN, AT))).to.equal('conflict')
        await trigger(store, id, 'fail', { ...facts(), reason: 'No' })
        await store.outbox.fanOut(AT, 100)
        await store.retention.removeContents(later(40), later(50))
        expect(await stores.count('document')).to.equal(0)
      })

      it('keeps nothing of a task that has ended', async () => {
        const { store, id } = await claimed()
        await trigger(store, id, 'cancel', { ...facts(), reason: 'No' })
        expect(await refusal(store.ingestion.keepDrawn(id, DRAWN, AT))).to.equal('conflict')
        expect(await stores.count('document')).to.equal(1)
      })

      it('prolongs the lease of the worker that has it, and of no other', async () => {
        const { store, id, task } = await claimed()
        await store.ingestion.prolong(id, { from: task.leaseUntil, to: later(60) })
        expect(await claim(store, later(30), later(45), 10)).to.deep.equal([])
        const [again] = await claim(store, later(61), later(75), 10)
        expect(again).to.include({ id })
        await store.ingestion.prolong(id, { from: later(60), to: later(600) })
        expect(await store.ingestion.nextDue()).to.deep.equal(later(75))
      })
    })
})
