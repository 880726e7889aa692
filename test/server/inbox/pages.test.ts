/** The pages of documents as the inbox asks for them: pictures by the drawing of what is sealed, for those whose documents they are. */
import { expect } from 'chai'
import { PICTURE_PLACES, PICTURE_WIDTHS } from '../../../server/choices.ts'
import type { Opened, Pages, Preview, ShownPage } from '../../../server/operations/signer/messages.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { runningClock } from '../../support/fake-clock.ts'
import { fixture } from '../../support/fixtures.ts'
import { base64 } from '../../support/pdf/order-pdf.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { aWaitingOrder } from '../../support/service/a-waiting-order.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const path = (taskId: number, rest = '') => `/inbox/api/documents/${taskId}${rest}`
const past = (taskId: number, rest = '') => `/inbox/api/past/${taskId}${rest}`

/** The width and height that a PNG names. */
const sizeOf = ({ picture }: ShownPage): [number, number] => {
  const bytes = Buffer.from(picture, 'base64')
  expect(bytes.toString('latin1', 1, 4)).to.equal('PNG')
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

describe('the pages of a document in the inbox', () => {
  const clock = runningClock()
  let service: TestService
  let calder: Visit
  let voss: Visit
  let operator: Visit
  before(async () => {
    service = await aService({ clock })
    ;[calder, voss, operator] = [aVisit(service.baseUrl), aVisit(service.baseUrl), aVisit(service.baseUrl)]
  })
  beforeEach(async () => {
    await calder.signInAs('Ruth Calder DO')
    await voss.signInAs('Ian Voss MD')
    await operator.signInAs('Service operator')
  })
  after(() => service.stop())

  const pageOf = (taskId: number, query = '', visit = calder) =>
    visit.ask<ShownPage>('GET', path(taskId, `/pages/1${query}`))
  const readings = async (taskId: number) => {
    const { body } = await operator.ask<{ audit: { action: string }[] }>('GET', `/admin/v1/tasks/${taskId}`)
    return JSON.stringify(body).split('document.read').length - 1
  }
  const draftOf = ({ sha256, fields }: Opened, text = 'Twice a week.') => ({
    sha256,
    values: {
      [fields.findIndex(({ type }) => type === 'CheckBox')]: true,
      [fields.findIndex(({ type }) => type === 'TextArea')]: text,
    },
    drawn: null,
    isSigned: true,
    timeZone: 'UTC',
  })

  it('are drawn in the widths that it is offered, with their text in reading order', async () => {
    const taskId = await aWaitingOrder(service)
    const { body: opened } = await calder.ask<Opened>('GET', path(taskId))
    const { body: pages, headers } = await calder.ask<Pages>('GET', path(taskId, '/pages'))
    expect(headers.get('cache-control')).to.equal('no-store')
    expect(pages.sha256).to.equal(opened.sha256)
    expect(pages.widths).to.deep.equal([...PICTURE_WIDTHS])
    expect(pages.isDrawn).to.equal(false)
    expect(pages.pages[0]).to.deep.equal({ width: 612, height: 792 })
    for (const width of [480, 2000]) {
      const { body, headers: ofPicture } = await pageOf(taskId, `?width=${width}`)
      expect(ofPicture.get('cache-control')).to.equal('no-store')
      expect(sizeOf(body)).to.deep.equal([width, Math.round((width * 792) / 612)])
      expect(body.lines.map(({ text }) => text).join(' ')).to.include('Order')
      for (const { box } of body.lines) expect(box.top).to.be.within(0, 792)
    }
    for (const width of ['1001', '99999', 'x', '-480'])
      expect((await pageOf(taskId, `?width=${width}`)).status).to.equal(400)
    for (const page of ['2', '999'])
      expect((await calder.ask('GET', path(taskId, `/pages/${page}`))).status).to.equal(404)
    expect((await calder.ask('GET', path(taskId, '/pages/0'))).status).to.equal(400)
  })

  it('are in the audit log once for each opening, whichever part is asked for first', async () => {
    const [opened, crafted] = [await aWaitingOrder(service), await aWaitingOrder(service)]
    await calder.ask('GET', path(opened, '/pages'))
    for (const width of [480, 800]) await pageOf(opened, `?width=${width}`)
    expect(await readings(opened)).to.equal(1)
    await pageOf(crafted)
    await pageOf(crafted)
    expect(await readings(crafted), 'a page without the list of pages').to.equal(1)
    await calder.ask('GET', path(opened, '/pages'))
    expect(await readings(opened), 'opened again').to.equal(2)
  })

  it('show the ink that was previewed, and no other', async () => {
    const taskId = await aWaitingOrder(service)
    const { body: opened } = await calder.ask<Opened>('GET', path(taskId))
    const draft = draftOf(opened)
    const { body: preview } = await calder.ask<Preview>('POST', path(taskId, '/preview'), draft)
    const ask = (body: object) => calder.ask<ShownPage>('POST', path(taskId, '/preview/pages/1?width=800'), body)
    const shown = await ask({ ...draft, inkedSha256: preview.sha256 })
    expect(shown.status).to.equal(200)
    expect(shown.body.lines.map(({ text }) => text)).to.include('Twice a week.')
    expect(shown.body.picture).not.to.equal((await pageOf(taskId, '?width=800')).body.picture)
    const other = { ...draftOf(opened, 'Something else.'), inkedSha256: preview.sha256 }
    expect((await ask(other)).status, 'other values').to.equal(409)
    clock.advance(DAY_MS)
    await calder.signInAs('Ruth Calder DO')
    expect((await ask({ ...draft, inkedSha256: preview.sha256 })).status, 'another day').to.equal(409)
    const { sha256: inkedSha256 } = (await calder.ask<Preview>('POST', path(taskId, '/preview'), draft)).body
    const before = (await ask({ ...draft, inkedSha256 })).body.picture
    const sign = { ...draft, inkedSha256, keep: false }
    const { isSigned, ...body } = sign
    expect((await calder.ask('POST', path(taskId, '/sign'), body)).status).to.equal(204)
    const sealed = await calder.ask<ShownPage>('GET', past(taskId, '/pages/1?width=800'))
    expect(sealed.body.picture === before, 'what is sealed is what was shown').to.equal(true)
  })

  it('are of those whose document it is', async () => {
    const taskId = await aWaitingOrder(service)
    const { body: opened } = await calder.ask<Opened>('GET', path(taskId))
    const draft = { ...draftOf(opened), inkedSha256: '0'.repeat(64) }
    for (const rest of ['/pages', '/pages/1']) {
      expect((await voss.ask('GET', path(taskId, rest))).status, rest).to.equal(404)
      expect((await calder.ask('GET', past(taskId, rest))).status, `${rest} before it is signed`).to.equal(404)
    }
    expect((await voss.ask('POST', path(taskId, '/preview/pages/1'), draft)).status).to.equal(404)
    await service.client.retractTask({ params: { id: taskId }, query: { reason: 'Sent twice' } })
    for (const rest of ['/pages', '/pages/1'])
      expect((await calder.ask('GET', path(taskId, rest))).status).to.equal(404)
  })

  it('have no text where the document was drawn, and the picture of what will be sealed', async () => {
    const attachment = base64(fixture('pdf/unusual/contents-with-null.pdf'))
    const taskId = await service.create(aCreateBody({ document: { attachment } }))
    await service.reaches(taskId, 'Pending')
    const { body } = await pageOf(taskId, '?width=640')
    expect(body.lines).to.deep.equal([])
    expect(sizeOf(body)[0]).to.equal(640)
    expect((await calder.ask<Pages>('GET', path(taskId, '/pages'))).body.isDrawn).to.equal(true)
  })

  it('are drawn for one session a few at a time; the others are to come again', async () => {
    const taskId = await aWaitingOrder(service)
    const asked = Array.from({ length: 3 * PICTURE_PLACES.each }, (_, i) =>
      pageOf(taskId, `?width=${PICTURE_WIDTHS[i % PICTURE_WIDTHS.length]}`),
    )
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses).to.include(200).and.to.include(503)
    expect((await pageOf(taskId)).status).to.equal(200)
  })
})
