/** What signers see and do through the inbox's server: with their own documents, and no others. */
import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { dateIn } from '../../../lib/time-zone.ts'
import { OVERDUE_AFTER_MS, SESSION_IDLE_MS } from '../../../server/choices.ts'
import type { Opened, Pages, Past, Waiting } from '../../../server/operations/signer/messages.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { runningClock } from '../../support/fake-clock.ts'
import { aPng } from '../../support/pdf/a-png.ts'
import { textOf } from '../../support/seen/text-of.ts'
import { aCreateBody, SIGNER, TEMPLATE } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { aWaitingOrder } from '../../support/service/a-waiting-order.ts'

const VOSS = '9999900018'
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('the inbox of a signer', () => {
  const clock = runningClock()
  let service: TestService
  let calder: Visit
  let voss: Visit
  before(async () => {
    service = await aService({ clock })
    calder = aVisit(service.baseUrl)
    voss = aVisit(service.baseUrl)
  })
  // Each test begins with fresh sessions, because some put the clock forward.
  beforeEach(async () => {
    await calder.signInAs('Ruth Calder DO')
    await voss.signInAs('Ian Voss MD')
  })
  after(() => service.stop())

  const path = (taskId: number, rest = '') => `/inbox/api/documents/${taskId}${rest}`
  const open = async (taskId: number) => (await calder.ask<Opened>('GET', path(taskId))).body
  const bodyFor = ({ sha256, fields }: Opened) => ({
    sha256,
    values: Object.fromEntries(fields.flatMap(({ type }, index) => (type === 'CheckBox' ? [[index, true]] : []))),
    drawn: null as string | null,
    keep: false,
    timeZone: 'UTC',
  })

  it('lists what waits, the oldest first, with what it takes to tell patients apart', async () => {
    const first = await aWaitingOrder(service)
    const patient = { externalId: 'WILLOW|2', names: [{ family: 'Núñez', given: ['José', 'M'] }], sex: 'Male' as const }
    const second = await aWaitingOrder(service, { patient: { ...patient, identifiers: null } })
    const { body, headers } = await calder.ask<Waiting[]>('GET', '/inbox/api/documents')
    expect(body.map(({ taskId }) => taskId)).to.deep.equal([first, second])
    expect(body[1]).to.deep.include({
      patient: { name: 'José M Núñez', birthDate: '1948-03-12', sex: 'Male', mrn: null },
      documentType: 'Physician Order (verbal)',
      sender: 'Willow Creek Home Health',
      isOverdue: false,
    })
    expect(headers.get('cache-control')).to.equal('no-store')
  })

  it('marks what has waited too long', async () => {
    const old = await aWaitingOrder(service)
    clock.advance(OVERDUE_AFTER_MS)
    const fresh = await aWaitingOrder(service)
    await calder.signInAs('Ruth Calder DO')
    const { body } = await calder.ask<Waiting[]>('GET', '/inbox/api/documents')
    const isOverdue = (id: number) => body.find(({ taskId }) => taskId === id)?.isOverdue
    expect([isOverdue(old), isOverdue(fresh)]).to.deep.equal([true, false])
  })

  it('shows the very PDF that was sent, and its fields', async () => {
    const opened = await open(await aWaitingOrder(service))
    const pages = await calder.ask<Pages>('GET', path(opened.taskId, '/pages'))
    expect(pages.body.sha256).to.equal(opened.sha256)
    expect((await calder.ask('GET', path(opened.taskId, '/pdf'))).status, 'the PDF itself').to.equal(404)
    expect(opened.fields.map(({ type }) => type)).to.deep.equal([
      'VisibleSignature',
      'DateSigned',
      'CheckBox',
      'TextArea',
    ])
    expect(opened.signingName).to.equal('Ruth Calder DO')
  })

  it('shows a signer nothing of another signer, by any path', async () => {
    const taskId = await aWaitingOrder(service)
    const body = bodyFor(await open(taskId))
    const unknown = 999_999
    const asks = async (id: number) => [
      await voss.ask('GET', path(id)),
      await voss.ask('GET', path(id, '/pages')),
      await voss.ask('GET', path(id, '/pages/1')),
      await voss.ask('POST', path(id, '/sign'), body),
      await voss.ask('POST', path(id, '/reject'), { reason: 'Not mine' }),
      await voss.ask('GET', `/inbox/api/past/${id}/pdf`),
    ]
    const shapeOf = async (id: number) =>
      (await asks(id)).map(({ status, errors }) => [status, errors.map((error) => error.replaceAll(String(id), 'ID'))])
    expect(await shapeOf(taskId)).to.deep.equal(await shapeOf(unknown))
    expect((await voss.ask<unknown[]>('GET', '/inbox/api/documents')).body).to.deep.equal([])
    expect((await open(taskId)).taskId).to.equal(taskId)

    await calder.ask('POST', path(taskId, '/sign'), body)
    await service.reaches(taskId, 'Completed')
    expect(await shapeOf(taskId)).to.deep.equal(await shapeOf(unknown))
    expect((await voss.ask<unknown[]>('GET', '/inbox/api/past')).body).to.deep.equal([])
  })

  it('gives no copy of a document before it is signed, unless the operator allows it', async () => {
    const taskId = await aWaitingOrder(service)
    const { status, errors } = await calder.ask('GET', path(taskId, '/copy'))
    expect(status).to.equal(403)
    expect(errors).to.deep.equal(['This service gives no copies of documents that are not signed yet.'])
  })

  it('refuses everything to visitors who are not signed in', async () => {
    const taskId = await aWaitingOrder(service)
    const stranger = aVisit(service.baseUrl)
    for (const rest of ['', '/pages', '/pages/1'])
      expect((await stranger.ask('GET', path(taskId, rest))).status).to.equal(401)
    for (const act of ['/sign', '/reject'])
      expect((await stranger.ask('POST', path(taskId, act), {})).status).to.equal(401)
    for (const other of ['/documents', '/past', '/signature'])
      expect((await stranger.ask('GET', `/inbox/api${other}`)).status).to.equal(401)
  })

  it('puts what the signer filled in into the signed PDF', async () => {
    const opened = await open(await aWaitingOrder(service))
    const text = opened.fields.findIndex(({ type }) => type === 'TextArea')
    const body = bodyFor(opened)
    const sent = { ...body, values: { ...body.values, [text]: 'Twice a week, not thrice.' } }
    expect((await calder.ask('POST', path(opened.taskId, '/sign'), sent)).status).to.equal(204)
    const { output } = await service.client.readTask({
      params: { id: opened.taskId },
      query: { includeOutputAttachment: true },
    })
    const words = await textOf(output!.attachment!)
    expect(words).to.include('Twice a week, not thrice.')
    expect(words).not.to.include('Continue as ordered.')
    expect(words).to.include(opened.sha256.slice(0, 16))
  })

  it('signs a document with the longest text that a sender may pre-fill, counted in characters', async () => {
    const place = { pageNumber: 1, left: 72, right: 540 }
    const data = [
      { type: 'VisibleSignature' as const, ...place, top: 600, bottom: 636 },
      { type: 'TextArea' as const, value: '😀'.repeat(2_500), ...place, top: 100, bottom: 500 },
    ]
    const performer = { signer: { userNPI: SIGNER.calder } }
    const taskId = await service.create(aCreateBody({ performer, document: { annotations: { type: 'Json', data } } }))
    await service.reaches(taskId, 'Pending')
    const { errors = [] } = await calder.ask('POST', path(taskId, '/sign'), bodyFor(await open(taskId)))
    expect(errors).to.deep.equal([])
    expect((await service.client.readTask({ params: { id: taskId } })).status).to.equal('Completed')
  })

  it('shows the date and time of the place where the signer is', async () => {
    const opened = await open(await aWaitingOrder(service))
    const sent = { ...bodyFor(opened), timeZone: 'Pacific/Kiritimati' }
    const day = dateIn(sent.timeZone, new Date(clock.now()).toISOString())
    expect((await calder.ask('POST', path(opened.taskId, '/sign'), sent)).status).to.equal(204)
    const query = { includeOutputAttachment: true }
    const { output } = await service.client.readTask({ params: { id: opened.taskId }, query })
    expect(await textOf(output!.attachment!)).to.match(new RegExp(`${day} [\\d:]{8} UTC\\+14:00`))
  })

  it('refuses a time zone that does not exist', async () => {
    const opened = await open(await aWaitingOrder(service))
    const sent = { ...bodyFor(opened), timeZone: 'Duluth' }
    const { status, errors } = await calder.ask('POST', path(opened.taskId, '/sign'), sent)
    expect(status).to.equal(400)
    expect(errors).to.deep.equal([
      'The page and the service do not understand each other. Load the page again, then try once more.',
    ])
  })

  it('refuses a signature under a PDF other than the one that waits', async () => {
    const opened = await open(await aWaitingOrder(service))
    const body = { ...bodyFor(opened), sha256: sha256(Buffer.from('another document')) }
    const { status, errors } = await calder.ask('POST', path(opened.taskId, '/sign'), body)
    expect(status).to.equal(409)
    expect(errors[0]).to.match(/^This is no longer the document/)
    expect((await service.client.readTask({ params: { id: opened.taskId } })).status).to.equal('Pending')
  })

  it('refuses to sign while a required field is open, and names it', async () => {
    const opened = await open(await aWaitingOrder(service))
    const { status, errors } = await calder.ask('POST', path(opened.taskId, '/sign'), {
      ...bodyFor(opened),
      values: {},
    })
    expect(status).to.equal(400)
    expect(errors).to.deep.equal(['Checkbox on page 1: must be checked.'])
  })

  it('refuses values for fields that are not there or not for the signer, and wrong kinds', async () => {
    const opened = await open(await aWaitingOrder(service))
    const body = { ...bodyFor(opened), values: { 0: 'me', 2: 'yes', 3: true, 7: 'x' } }
    const { status, errors } = await calder.ask('POST', path(opened.taskId, '/sign'), body)
    expect(status).to.equal(400)
    expect(errors).to.have.length(4)
  })

  it('refuses a drawing that is not a picture', async () => {
    const opened = await open(await aWaitingOrder(service))
    for (const drawn of [Buffer.from('<svg/>').toString('base64'), 'no base64!']) {
      const { status } = await calder.ask('POST', path(opened.taskId, '/sign'), { ...bodyFor(opened), drawn })
      expect(status).to.equal(400)
    }
  })

  it('keeps a drawn signature for the next time, for its signer alone, until it is deleted', async () => {
    const opened = await open(await aWaitingOrder(service))
    const drawn = Buffer.from(aPng(30, 10, [13, 26, 77])).toString('base64')
    const body = { ...bodyFor(opened), drawn, keep: true }
    expect((await calder.ask('POST', path(opened.taskId, '/sign'), body)).status).to.equal(204)
    const kept = async (visit: Visit) => (await visit.ask<{ drawn: string | null }>('GET', '/inbox/api/signature')).body
    expect(await kept(calder)).to.deep.equal({ drawn })
    expect(await kept(voss)).to.deep.equal({ drawn: null })
    await calder.ask('DELETE', '/inbox/api/signature')
    expect(await kept(calder)).to.deep.equal({ drawn: null })
  })

  it('rejects with a reason that the sender reads, and not without one', async () => {
    const taskId = await aWaitingOrder(service)
    expect((await calder.ask('POST', path(taskId, '/reject'), { reason: '  ' })).status).to.equal(400)
    expect((await calder.ask('POST', path(taskId, '/reject'), { reason: ' Wrong dose ' })).status).to.equal(204)
    expect((await service.reaches(taskId, 'Rejected')).statusReason).to.equal('Wrong dose')
    expect((await calder.ask('POST', path(taskId, '/reject'), { reason: 'Again' })).status).to.equal(409)
  })

  it('remembers what was done, the newest first, and gives the signed PDF again', async () => {
    const signed = await open(await aWaitingOrder(service, { signer: SIGNER.calder }))
    await calder.ask('POST', path(signed.taskId, '/sign'), bodyFor(signed))
    const rejected = await aWaitingOrder(service)
    await calder.ask('POST', path(rejected, '/reject'), { reason: 'No' })
    const { body } = await calder.ask<Past[]>('GET', '/inbox/api/past')
    expect(body.slice(0, 2).map(({ taskId, outcome }) => [taskId, outcome])).to.deep.equal([
      [rejected, 'Rejected'],
      [signed.taskId, 'Completed'],
    ])
    const before = await calder.ask<Past[]>('GET', `/inbox/api/past?before=${rejected}`)
    expect(before.body[0]?.taskId).to.equal(signed.taskId)
    const pdf = await calder.ask('GET', `/inbox/api/past/${signed.taskId}/pdf`)
    expect(pdf.headers.get('content-disposition')).to.equal(`attachment; filename="document-${signed.taskId}.pdf"`)
    expect(pdf.bytes.subarray(0, 5).toString()).to.equal('%PDF-')
    expect((await calder.ask('GET', `/inbox/api/past/${rejected}/pdf`)).status).to.equal(404)
  })

  it('remembers nothing that its sender has archived, and goes on behind it; what is filed stays', async () => {
    const done: number[] = []
    for (let count = 0; count < 3; count++) {
      const taskId = await aWaitingOrder(service)
      await calder.ask('POST', path(taskId, '/reject'), { reason: 'No' })
      done.push(taskId)
    }
    const [oldest, archived, filed] = done as [number, number, number]
    const record = (id: number, query: object) =>
      service.client.updateTask({ params: { id }, query: { externalSavedDocumentId: `PAST-${id}`, ...query } })
    await record(archived, { archived: true })
    await record(filed, { saved: true })
    const past = async (query = '') =>
      (await calder.ask<Past[]>('GET', `/inbox/api/past${query}`)).body.map(({ taskId }) => taskId)
    expect((await past()).slice(0, 2)).to.deep.equal([filed, oldest])
    expect((await past(`?before=${archived}`))[0], 'the page that ended with it').to.equal(oldest)
    const theirs = await voss.ask<Past[]>('GET', `/inbox/api/past?before=${archived}`)
    expect(theirs.body).to.deep.equal([])
  })

  it('shows what the sender gave for the signer: how to reach the patient, the diagnosis, what the date means', async () => {
    const { effectiveDate, ...rest } = aCreateBody().document
    const telecoms = [
      { system: 'phone', value: '218-555-0101', use: 'home' },
      { system: 'email', value: 'alma@example.org' },
    ]
    const template = { annotations: { type: 'Template', templateId: TEMPLATE.certification } as const }
    const document = { ...rest, effectiveDate, ...template, diagnosisCode: ' I50.9 ' }
    const taskId = await service.create(aCreateBody({ patient: { telecoms }, document }))
    await service.reaches(taskId, 'Pending')
    expect(await open(taskId)).to.deep.include({
      telecoms,
      diagnosisCode: 'I50.9',
      clinicalDateLabel: 'Certification period start',
      clinicalDate: effectiveDate,
    })
    const bare = await service.create(aCreateBody({ patient: { telecoms: null } }))
    await service.reaches(bare, 'Pending')
    expect(await open(bare)).to.deep.include({ telecoms: [], diagnosisCode: null, clinicalDateLabel: null })
  })

  it('does nothing for a session that has ended', async () => {
    const taskId = await aWaitingOrder(service, { signer: VOSS })
    clock.advance(SESSION_IDLE_MS)
    expect((await voss.ask('POST', path(taskId, '/reject'), { reason: 'Late' })).status).to.equal(401)
    expect((await service.client.readTask({ params: { id: taskId } })).status).to.equal('Pending')
  })
})
