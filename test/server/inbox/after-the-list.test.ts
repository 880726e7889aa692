/** What signers ask about documents that no longer wait: what became of them, a lost answer, a search, a copy; and their drafts. */
import { createHash } from 'node:crypto'
import { expect } from 'chai'
import type { Opened, Outcome, Past, PastFound } from '../../../server/operations/signer/messages.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { aWaitingOrder } from '../../support/service/a-waiting-order.ts'

describe('a signer asks', () => {
  let service: TestService
  let calder: Visit
  let voss: Visit
  before(async () => {
    service = await aService({ unsignedPdf: 'download' })
    calder = aVisit(service.baseUrl)
    voss = aVisit(service.baseUrl)
    await calder.signInAs('Ruth Calder DO')
    await voss.signInAs('Ian Voss MD')
  })
  after(() => service.stop())

  const path = (taskId: number, rest = '') => `/inbox/api/documents/${taskId}${rest}`
  const open = async (taskId: number) => (await calder.ask<Opened>('GET', path(taskId))).body
  const filled = ({ sha256, fields }: Opened, text: string) => ({
    sha256,
    values: Object.fromEntries(
      fields.flatMap(({ type }, index): [number, string | boolean][] => {
        if (type === 'CheckBox') return [[index, true]]
        return type === 'TextArea' ? [[index, text]] : []
      }),
    ),
    drawn: null,
    keep: false,
    timeZone: 'UTC',
  })
  const sign = async (opened: Opened, text: string) =>
    (await calder.ask('POST', path(opened.taskId, '/sign'), filled(opened, text))).status
  const outcome = async (taskId: number) => (await calder.ask<Outcome>('GET', path(taskId, '/outcome'))).body

  it('for the same signature again, at once or later, and gets the same answer, while nothing is signed twice', async () => {
    const opened = await open(await aWaitingOrder(service))
    expect(await Promise.all([sign(opened, 'Once'), sign(opened, 'Once')])).to.deep.equal([204, 204])
    expect(await sign(opened, 'Once')).to.equal(204)
    const { body } = await calder.ask<Past[]>('GET', '/inbox/api/past')
    expect(body.filter(({ taskId }) => taskId === opened.taskId)).to.have.length(1)

    expect(await sign(opened, 'Twice'), 'other content').to.equal(409)
    const { status } = await voss.ask('POST', path(opened.taskId, '/sign'), filled(opened, 'Once'))
    expect(status, 'somebody else').to.equal(409)
  })

  describe('what became of a document', () => {
    it('that waits, was signed, rejected or withdrawn, with when and why', async () => {
      const began = Date.now()
      const [waiting, signed, rejected, withdrawn] = [
        await aWaitingOrder(service),
        await aWaitingOrder(service),
        await aWaitingOrder(service),
        await aWaitingOrder(service),
      ]
      await sign(await open(signed), '')
      await calder.ask('POST', path(rejected, '/reject'), { reason: 'Wrong dose' })
      await service.client.retractTask({ params: { id: withdrawn }, query: { reason: 'Sent twice' } })
      const found = await Promise.all([waiting, signed, rejected, withdrawn].map(outcome))
      expect(found.map(({ at: _, ...rest }) => rest)).to.deep.equal([
        { state: 'waiting', byYou: false, by: null, reason: null },
        { state: 'signed', byYou: true, by: null, reason: null },
        { state: 'rejected', byYou: true, by: null, reason: 'Wrong dose' },
        { state: 'withdrawn', byYou: false, by: null, reason: 'Sent twice' },
      ])
      for (const { at } of found) expect(Date.parse(at)).to.be.within(began, Date.now())
    })

    it('and learns that somebody else signed it', async () => {
      const taskId = await aWaitingOrder(service)
      await service.signs(taskId)
      expect(await outcome(taskId)).to.deep.include({ state: 'signed', byYou: false })
    })

    it('and hears nothing of one that never was theirs', async () => {
      const taskId = await aWaitingOrder(service)
      for (const id of [taskId, 999_999]) {
        const { status } = await voss.ask('GET', path(id, '/outcome'))
        expect(status).to.equal(404)
      }
    })
  })

  describe('for documents of the past', () => {
    const search = (visit: Visit, body: object) => visit.ask<PastFound>('POST', '/inbox/api/past/search', body)

    it('by name, date or reason, and finds them with the reason of a rejection', async () => {
      const patient = {
        externalId: 'PAST|7',
        names: [{ family: 'Żółć', given: ['Łukasz'] }],
        birthDate: '1931-05-14',
        identifiers: null,
      }
      const taskId = await aWaitingOrder(service, { patient })
      await calder.ask('POST', path(taskId, '/reject'), { reason: 'Send to Dr. Marsh' })
      for (const words of ['lukasz zolc', '05/14/1931', 'dr. marsh']) {
        const { body } = await search(calder, { search: words })
        expect(body.documents, words).to.have.length(1)
        expect(body.documents[0], words).to.deep.include({ taskId, outcome: 'Rejected', reason: 'Send to Dr. Marsh' })
        expect(body.goesOnBefore).to.equal(null)
      }
      expect((await search(calder, { search: 'lukasz', before: taskId })).body.documents).to.deep.equal([])
      expect((await search(voss, { search: 'lukasz' })).body.documents).to.deep.equal([])
      expect((await search(calder, { search: 'lukasz'.repeat(40) })).status).to.equal(400)
    })

    it('by the id of the sender, the id of the task, and when it was rejected', async () => {
      const externalDocId = 'EHR|PAST-40'
      const taskId = await aWaitingOrder(service, { externalDocId })
      await calder.ask('POST', path(taskId, '/reject'), { reason: 'Wrong dose' })
      const found = async (body: object) => (await search(calder, body)).body.documents.map((one) => one.taskId)
      const [{ at }] = (await search(calder, { search: String(taskId) })).body.documents as [Past]
      const later = new Date(Date.parse(at) + 1).toISOString()
      for (const body of [
        { search: 'past-40' },
        { search: String(taskId) },
        { search: externalDocId, from: at },
        { search: externalDocId, until: later },
        { search: '', from: at, until: later },
      ])
        expect(await found(body), JSON.stringify(body)).to.deep.equal([taskId])
      for (const body of [
        { search: externalDocId, from: later },
        { search: externalDocId, until: at },
        { search: '', from: later },
      ])
        expect(await found(body), JSON.stringify(body)).to.deep.equal([])
      for (const body of [
        { search: '', from: '2026-02-30' },
        { search: '', until: 'now' },
      ])
        expect((await search(calder, body)).status, JSON.stringify(body)).to.equal(400)
    })
  })

  describe('for the PDF of a document that is not signed', () => {
    const readBy = (visit: Visit, taskId: number) => visit.ask('GET', path(taskId, '/copy'))

    it('and gets it as a file where the operator allows that, which is audited', async () => {
      const taskId = await aWaitingOrder(service)
      const { status, headers, bytes } = await readBy(calder, taskId)
      expect(status).to.equal(200)
      expect(headers.get('content-disposition')).to.equal(`attachment; filename="document-${taskId}-not-signed.pdf"`)
      const { body: opened } = await calder.ask<Opened>('GET', path(taskId))
      expect(createHash('sha256').update(bytes).digest('hex')).to.equal(opened.sha256)
      expect((await readBy(voss, taskId)).status).to.equal(404)
      const staff = aVisit(service.baseUrl)
      await staff.signInAs('Service operator')
      const { body } = await staff.ask<{ acts: { action: string; actor: string }[] }>(
        'GET',
        `/admin/v1/tasks/${taskId}`,
      )
      expect(JSON.stringify(body)).to.include('document.copy')
    })

    it('and may open it in the browser where the operator allows no more', async () => {
      const other = await aService({ unsignedPdf: 'view' })
      try {
        const visit = aVisit(other.baseUrl)
        await visit.signInAs('Ruth Calder DO')
        const taskId = await aWaitingOrder(other)
        expect((await readBy(visit, taskId)).headers.get('content-disposition')).to.match(/^inline;/)
        expect((await visit.ask<Opened>('GET', path(taskId))).body.unsignedPdf).to.equal('view')
      } finally {
        await other.stop()
      }
    })
  })

  it('for the secret of their drafts: the same in each session, and another one than that of anybody else', async () => {
    const secretOf = async (visit: Visit) => {
      const { body } = await visit.ask<{ secret: string }>('GET', '/inbox/api/draft-secret')
      return body.secret
    }
    const again = aVisit(service.baseUrl)
    await again.signInAs('Ruth Calder DO')
    const [mine, theirs, mineAgain] = await Promise.all([calder, voss, again].map(secretOf))
    expect(Buffer.from(mine!, 'base64')).to.have.length(32)
    expect(mineAgain).to.equal(mine)
    expect(theirs).not.to.equal(mine)
  })
})
