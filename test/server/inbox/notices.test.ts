/** E-mails to signers that documents wait: who gets them, when, what they hold, and what becomes of them when the server refuses. */
import { expect } from 'chai'
import { NOTICE_CODE_MS } from '../../../server/choices.ts'
import { GATHER_MS } from '../../../server/domain/notices/schedule.ts'
import type { Notices } from '../../../server/operations/notices.ts'
import type { Instance } from '../../../server/operations/operator/messages/instances.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { eventually } from '../../support/eventually.ts'
import { aMailServer, type MailServer, PASSWORD } from '../../support/network/mail-server.ts'
import { patience } from '../../support/patience.ts'
import { aCreateBody, SIGNER } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const ADDRESS = 'ruth@practice.example'
const PUBLIC = 'https://sign.example.org'
/** Between two tries, spread. */
const LONGEST_PAUSE_MS = 72 * 60_000
const HOUR_MS = 60 * 60_000
const VOSS = '9999900018'

describe('e-mail notices', function () {
  this.timeout(60_000)
  let mail: MailServer
  let service: TestService
  let signer: Visit
  before(async () => {
    mail = await aMailServer()
    service = await aService({
      publicUrl: PUBLIC,
      smtpUrl: mail.url,
      smtpPassword: PASSWORD,
      smtpFrom: 'notices@sign.example.org',
      smtpCa: mail.authority,
    })
    signer = aVisit(service.baseUrl)
    await signer.signInAs('Ruth Calder DO')
  })
  after(async () => {
    await service?.stop()
    await mail?.stop()
  })

  const api = '/inbox/api/notices'
  const chosen = async () => (await signer.ask<Notices>('GET', api)).body
  const choose = (body: object) =>
    signer.ask('POST', api, { mode: 'soon', hour: 7, timeZone: 'America/Chicago', ...body })
  const sent = async () => {
    const taskId = await service.create(aCreateBody())
    await service.reaches(taskId, 'Pending')
    return taskId
  }
  /** Time passes for the service, which does meanwhile what becomes due; long times end sessions. */
  async function pass(ms: number): Promise<void> {
    const { status } = await service.ask('POST', '/sandbox/v1/clock', { body: { advanceSeconds: ms / 1000 } })
    expect(status).to.equal(202)
    await signer.signInAs('Ruth Calder DO')
  }
  /** The next time passes only when nothing has come for a while: the lease of an e-mail that is on its way would end. */
  const passedUntil = (ms: number, check: () => void) =>
    eventually(async () => {
      await pass(ms)
      await eventually(check, patience(2_000))
    })
  const gone = async (...taskIds: number[]) => {
    for (const id of taskIds) await service.client.retractTask({ params: { id }, query: { reason: 'Sent twice' } })
  }

  it('go to an address only once its code has come back', async () => {
    expect(await chosen()).to.deep.include({ isOffered: true, mode: 'off', address: null })
    expect((await signer.ask('POST', `${api}/address`, { address: 'a@b.example, c@d.example' })).status).to.equal(400)
    expect((await signer.ask('POST', `${api}/address`, { address: ADDRESS })).status).to.equal(204)
    expect(await chosen()).to.deep.include({ address: null, unconfirmed: ADDRESS })
    expect((await signer.ask('POST', `${api}/address`, { address: ADDRESS })).status).to.equal(429)
    await pass(1_000)
    const { to, text, isSecure } = await mail.took(1)
    expect([to, isSecure]).to.deep.equal([ADDRESS, true])
    const code = /: (\d{6})$/m.exec(text)![1]!
    const confirm = (entered: string) => signer.ask('POST', `${api}/address/confirm`, { code: entered })
    const wrong = await confirm(code === '000000' ? '000001' : '000000')
    expect([wrong.status, wrong.errors[0]]).to.deep.equal([
      409,
      'This is not the code. Look at the last e-mail that was sent.',
    ])
    expect((await confirm(code)).status).to.equal(204)
    expect(await chosen()).to.deep.include({ address: ADDRESS, unconfirmed: null, mode: 'soon' })
    expect((await confirm(code)).status).to.equal(409)
  })

  it('take no code that is too old, nor one after five wrong ones', async () => {
    const other = aVisit(service.baseUrl)
    const enter = async () => {
      const before = mail.taken.length
      await other.signInAs('Ian Voss MD')
      expect((await other.ask('POST', `${api}/address`, { address: 'voss@practice.example' })).status).to.equal(204)
      await pass(1_000)
      return /: (\d{6})$/m.exec((await mail.took(before + 1)).text)![1]!
    }
    const confirm = (code: string) => other.ask('POST', `${api}/address/confirm`, { code })
    const first = await enter()
    await pass(NOTICE_CODE_MS)
    await other.signInAs('Ian Voss MD')
    expect((await confirm(first)).errors[0]).to.match(/^No code is valid now/)
    const second = await enter()
    for (let n = 0; n < 5; n++) await confirm(second === '000000' ? '000001' : '000000')
    expect((await confirm(second)).errors[0]).to.match(/^No code is valid now/)
  })

  it('tell once of all that came within some minutes, by its number alone', async () => {
    const before = mail.taken.length
    const taskIds = [await sent(), await sent()]
    await pass(GATHER_MS)
    const { to, raw, text } = await mail.took(before + 1)
    expect(to).to.equal(ADDRESS)
    expect(raw).to.match(/^Subject: 2 documents wait for your signature\r$/m)
    expect(raw).to.match(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
    expect(text).to.contain(`${PUBLIC}/inbox`)
    // Overheard besides: nothing of the patient.
    expect(text).not.to.contain('Willow Creek')
    await gone(...taskIds)
  })

  it('are not sent for what was withdrawn before', async () => {
    const before = mail.taken.length
    await gone(await sent())
    await pass(GATHER_MS)
    const taskId = await sent()
    await pass(GATHER_MS)
    expect((await mail.took(before + 1)).raw).to.contain('Subject: 1 document waits')
    await gone(taskId)
  })

  it('come again, neither lost nor counted, after the server refused for now, was away, or refused the password', async () => {
    const before = mail.taken.length
    const taskId = await sent()
    mail.refusals.push({ code: 451, text: `451 later, ${ADDRESS}` })
    const problem = async () => {
      const operator = aVisit(service.baseUrl)
      await operator.signInAs('Service operator')
      const { body } = await operator.ask<Instance[]>('GET', '/admin/v1/instances')
      return body[0]!.workers.find(({ name }) => name === 'e-mail notices')!.problem
    }
    await pass(GATHER_MS)
    await eventually(() => expect(mail.refusals).to.deep.equal([]))
    await mail.stop()
    /** Time passes, and the server is tried, until the console shows this problem. */
    const tried = (until: string) =>
      eventually(async () => {
        await pass(LONGEST_PAUSE_MS)
        expect(await problem()).to.contain(until)
      })
    await tried('does not answer')
    await eventually(async () => expect((await service.ask('GET', '/ready')).status).to.equal(200))
    mail.setPassword('another')
    await mail.start()
    await tried('refuses the user or the password')
    mail.setPassword(PASSWORD)
    await passedUntil(LONGEST_PAUSE_MS, () => expect(mail.taken.length).to.be.above(before))
    await eventually(async () => expect(await problem()).to.equal(undefined))
    expect(mail.taken).to.have.length(before + 1)
    await gone(taskId)
  })

  it('come once a day at the hour, again while documents wait, and end with a click on the link', async () => {
    expect((await choose({ mode: 'daily', timeZone: 'Middle/Nowhere' })).status).to.equal(400)
    expect((await choose({ mode: 'daily' })).status).to.equal(204)
    const before = mail.taken.length
    const taskId = await sent()
    await pass(25 * 60 * 60_000)
    const { text } = await mail.took(before + 1)
    // The day of the next one is chosen once the service has noted that this one is sent.
    await eventually(async () => {
      await pass(25 * 60 * 60_000)
      expect(mail.taken.length).to.be.above(before + 1)
    })
    const off = /No more e-mails: (\S+)/.exec(text)![1]!.replace(PUBLIC, '')
    const opened = await fetch(service.baseUrl + off)
    expect(await opened.text())
      .to.contain('No more e-mails?')
      .and.not.to.contain('not valid')
    expect((await chosen()).mode).to.equal('daily')
    const post = (path: string) =>
      fetch(service.baseUrl + path, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })
    expect((await post('/notices/off?key=guessed')).status).to.equal(404)
    expect((await post(off)).status).to.equal(200)
    expect((await chosen()).mode).to.equal('off')
    // One may have been on its way.
    await pass(25 * 60 * 60_000)
    const until = mail.taken.length
    await pass(25 * 60 * 60_000)
    await gone(taskId)
    expect(mail.taken).to.have.length(until)
  })

  it('tell a colleague, once, when a delegation begins that was made before, and then of new documents', async () => {
    const operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    const { body: organizations } = await operator.ask<{ id: number; name: string }[]>('GET', '/admin/v1/organizations')
    const { id } = organizations.find(({ name }) => name === 'Harbor Internal Medicine')!
    const set = async (method: string, path: string, body: object) =>
      expect((await operator.ask(method, `/admin/v1/${path}`, body)).errors).to.deep.equal([])
    await set('PATCH', `organizations/${id}`, { allowsDelegation: true })
    await set('PATCH', `providers/${VOSS}`, { organizationIds: [id] })
    const address = 'colleague@practice.example'
    await set('POST', `providers/${VOSS}/notices`, { mode: 'soon', hour: 7, timeZone: 'UTC', address })
    const taskId = await sent()
    const { body: clock } = await service.ask<{ now: string }>('GET', '/sandbox/v1/clock')
    const startsAt = new Date(Date.parse(clock.now) + HOUR_MS)
    const times = { startsAt, endsAt: new Date(startsAt.getTime() + 100 * HOUR_MS) }
    const made = { delegateNpi: VOSS, organizationId: id, ...times }
    expect((await signer.ask('POST', '/inbox/api/delegations', made)).status).to.equal(201)
    const told = () =>
      mail.taken.filter(({ to }) => to === address).map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw)![1])
    await pass(HOUR_MS / 2)
    expect(told()).to.deep.equal([])
    await passedUntil(HOUR_MS / 2 + GATHER_MS, () =>
      expect(told()).to.deep.equal(['1 document waits for your signature']),
    )
    await pass(HOUR_MS)
    expect(told()).to.have.length(1)
    const another = await sent()
    await pass(GATHER_MS)
    expect(told(), 'of what comes while the delegation holds').to.deep.equal([
      '1 document waits for your signature',
      '2 documents wait for your signature',
    ])
    await gone(taskId, another)
    const mine = await signer.ask<{ given: { id: number }[] }>('GET', '/inbox/api/delegations')
    for (const { id } of mine.body.given)
      expect((await signer.ask('POST', `/inbox/api/delegations/${id}/end`)).errors).to.deep.equal([])
  })

  it('go where an operator sets, without a code', async () => {
    const operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    const path = `/admin/v1/providers/${SIGNER.calder}/notices`
    const body = { mode: 'soon', hour: 7, timeZone: 'UTC', address: 'front-desk@practice.example' }
    expect((await operator.ask('POST', path, body)).status).to.equal(204)
    expect((await operator.ask('GET', path)).body).to.deep.equal({ ...body, unconfirmed: null })
    const before = mail.taken.length
    await sent()
    await pass(GATHER_MS)
    expect((await mail.took(before + 1)).to).to.equal(body.address)
  })
})
