/** The preview of the ink, as the signer's page asks for it, and how it binds the signature. */
import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { PREVIEW_PLACES } from '../../../server/choices.ts'
import type { Opened, Preview } from '../../../server/operations/signer/messages.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { runningClock } from '../../support/fake-clock.ts'
import { textOf } from '../../support/seen/text-of.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { aWaitingOrder } from '../../support/service/a-waiting-order.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Returns what a file was after each of its updates. */
const revisionsOf = (pdf: Buffer): Buffer[] =>
  [...pdf.toString('latin1').matchAll(/(?<=%%EOF)|(?<=%%EOF\r?\n)/g)].map(({ index }) => pdf.subarray(0, index))

describe('the preview of a document that waits', () => {
  const clock = runningClock()
  let service: TestService
  let calder: Visit
  let operator: Visit
  before(async () => {
    service = await aService({ clock, unsignedPdf: 'view' })
    calder = aVisit(service.baseUrl)
    operator = aVisit(service.baseUrl)
  })
  beforeEach(async () => {
    await calder.signInAs('Ruth Calder DO')
    await operator.signInAs('Service operator')
  })
  after(() => service.stop())

  const path = (taskId: number, rest = '') => `/inbox/api/documents/${taskId}${rest}`
  const opened = async () => (await calder.ask<Opened>('GET', path(await aWaitingOrder(service)))).body
  const draftOf = ({ sha256, fields }: Opened, values: Record<number, string | boolean> = {}) => ({
    sha256,
    values: { [fields.findIndex(({ type }) => type === 'CheckBox')]: true, ...values },
    drawn: null,
    isSigned: true,
    timeZone: 'UTC',
  })
  const preview = (taskId: number, body: object) => calder.ask<Preview>('POST', path(taskId, '/preview'), body)
  const sign = (taskId: number, body: object) => calder.ask('POST', path(taskId, '/sign'), { keep: false, ...body })
  const signedPdf = async (id: number) => {
    const { output } = await service.client.readTask({ params: { id }, query: { includeOutputAttachment: true } })
    return Buffer.from(output!.attachment!, 'base64')
  }

  it('is how the signed document begins, and leaves no trace', async () => {
    const document = await opened()
    const { taskId, fields } = document
    const text = fields.findIndex(({ type }) => type === 'TextArea')
    const { isSigned, ...body } = draftOf(document, { [text]: 'Twice a week.' })
    const pdf = (await calder.ask('GET', path(taskId, '/copy'))).bytes
    const acts = () => operator.ask('GET', `/admin/v1/tasks/${taskId}`).then(({ body: file }) => file)
    const before = await acts()
    const { body: given, headers } = await preview(taskId, { ...body, isSigned })
    expect(headers.get('cache-control')).to.equal('no-store')
    expect(await acts()).to.deep.equal(before)

    expect((await sign(taskId, { ...body, inkedSha256: given.sha256 })).status).to.equal(204)
    const sealed = await signedPdf(taskId)
    const inked = revisionsOf(sealed).find((revision) => sha256(revision) === given.sha256)!
    expect(inked.subarray(0, pdf.length).equals(pdf)).to.equal(true)
    expect(await textOf(inked.toString('base64'))).to.include('Twice a week.')
  })

  it('takes what is not complete, and says what can never be signed', async () => {
    const document = await opened()
    const draft = { ...draftOf(document), values: {}, isSigned: false }
    expect((await preview(document.taskId, draft)).status).to.equal(200)
    const { status, errors } = await preview(document.taskId, { ...draft, values: { 2: 'yes', 9: 'x' } })
    expect(status).to.equal(400)
    expect(errors).to.deep.equal(['This document has only 4 fields.', 'Checkbox on page 1: true or false.'])
    const drawn = Buffer.from('<svg/>').toString('base64')
    expect((await preview(document.taskId, { ...draft, drawn })).errors).to.deep.equal([
      'The document could not be signed: the drawn signature is not a PNG image',
    ])
  })

  it('binds the signature: with other values, or on another day, nothing is sealed until the signer has looked again', async () => {
    const document = await opened()
    const { taskId } = document
    const { isSigned, ...body } = draftOf(document)
    const look = async () => (await preview(taskId, { ...body, isSigned })).body.sha256
    const inkedSha256 = await look()
    const others = { ...body, values: { ...body.values, 3: 'Something else.' } }
    const other = await sign(taskId, { ...others, inkedSha256 })
    clock.advance(DAY_MS)
    await calder.signInAs('Ruth Calder DO')
    const late = await sign(taskId, { ...body, inkedSha256 })
    for (const { status, errors } of [other, late]) {
      expect(status).to.equal(409)
      expect(errors).to.deep.equal([
        'The document would not be sealed as you saw it: the date, or something else on it, has changed. Look at it again, then sign.',
      ])
    }
    expect((await service.client.readTask({ params: { id: taskId } })).status).to.equal('Pending')
    expect((await sign(taskId, { ...body, inkedSha256: await look() })).status).to.equal(204)
  })

  it('is nobody else’s, and of no other document', async () => {
    const document = await opened()
    const voss = aVisit(service.baseUrl)
    await voss.signInAs('Ian Voss MD')
    const foreign = await voss.ask('POST', path(document.taskId, '/preview'), draftOf(document))
    const unknown = await voss.ask('POST', path(999_999, '/preview'), draftOf(document))
    expect([foreign.status, unknown.status]).to.deep.equal([404, 404])
    const other = { ...draftOf(document), sha256: sha256(Buffer.from('another document')) }
    const { status, errors } = await preview(document.taskId, other)
    expect(status).to.equal(409)
    expect(errors[0]).to.match(/^This is no longer the document/)
  })

  it('is drawn for one signer a few at a time; the others are told to come again', async () => {
    const document = await opened()
    const asked = Array.from({ length: PREVIEW_PLACES.each + 3 }, () => preview(document.taskId, draftOf(document)))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses).to.include(200).and.to.include(503)
    expect((await preview(document.taskId, draftOf(document))).status).to.equal(200)
  })
})
