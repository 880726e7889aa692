/** A colleague who signs for a signer for a time: what he sees and does before, during and after it, through every door. */
import { expect } from 'chai'
import type { Delegations } from '../../../server/operations/delegations.ts'
import type { Opened, Outcome, Past, Waiting } from '../../../server/operations/signer/messages.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { runningClock } from '../../support/fake-clock.ts'
import { listenTo } from '../../support/network/server-sent.ts'
import { certificateText } from '../../support/seen/certificate-text.ts'
import { aCreateBody, SIGNER } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const VOSS = '9999900018'
/** Shorter than a session that nobody uses. */
const WHILE_MS = 600_000
const api = '/inbox/api/delegations'

describe('a colleague who signs for a signer', function () {
  this.timeout(30_000)
  const clock = runningClock()
  let service: TestService
  let [calder, voss, operator] = [] as unknown as [Visit, Visit, Visit]
  let harbor = 0

  before(async () => {
    service = await aService({ clock })
    ;[calder, voss, operator] = [aVisit(service.baseUrl), aVisit(service.baseUrl), aVisit(service.baseUrl)]
    await signIn()
    type Provider = { npi: string; organizations: { id: number }[] }
    const { body } = await operator.ask<Provider[]>('GET', '/admin/v1/providers')
    const placesOf = (npi: string) => body.find((provider) => provider.npi === npi)!.organizations.map(({ id }) => id)
    harbor = placesOf(SIGNER.calder)[0]!
    await changes(`/admin/v1/providers/${VOSS}`, { organizationIds: [...placesOf(VOSS), harbor] })
  })
  after(() => service.stop())
  beforeEach(async () => {
    await signIn()
    await allow(true)
  })
  afterEach(async () => {
    await allow(false)
  })

  async function signIn() {
    await calder.signInAs('Ruth Calder DO')
    await voss.signInAs('Ian Voss MD')
    await operator.signInAs('Service operator')
  }
  async function changes(path: string, body: object) {
    const { status, errors } = await operator.ask('PATCH', path, body)
    expect([status, errors]).to.deep.equal([204, []])
  }
  const allow = (allowsDelegation: boolean) => changes(`/admin/v1/organizations/${harbor}`, { allowsDelegation })
  const from = (ms: number) => new Date(clock.now() + ms).toISOString()
  const delegate = (startMs: number, endMs: number, change = {}) =>
    calder.ask<{ id: number }>('POST', api, {
      delegateNpi: VOSS,
      organizationId: harbor,
      startsAt: from(startMs),
      endsAt: from(endMs),
      ...change,
    })
  async function delegated(startMs = 0, endMs = WHILE_MS): Promise<number> {
    const { status, body, errors } = await delegate(startMs, endMs)
    expect([status, errors]).to.deep.equal([201, []])
    return body.id
  }
  async function sent(): Promise<number> {
    const taskId = await service.create(aCreateBody())
    await service.reaches(taskId, 'Pending')
    return taskId
  }

  const path = (taskId: number, rest = '') => `/inbox/api/documents/${taskId}${rest}`
  const listed = async (visit: Visit, list = 'documents') =>
    (await visit.ask<(Waiting & Past)[]>('GET', `/inbox/api/${list}`)).body
  const opened = async (visit: Visit, taskId: number) => (await visit.ask<Opened>('GET', path(taskId))).body
  const filled = (sha256: string) => ({ sha256, values: {}, drawn: null, timeZone: 'UTC' })
  const sign = async (visit: Visit, taskId: number, { sha256 }: { sha256: string }) =>
    visit.ask('POST', path(taskId, '/sign'), { ...filled(sha256), keep: false })

  /** The status that each door of a document answers the colleague with; those that only look come first. */
  async function doors(taskId: number, { sha256 }: { sha256: string }) {
    const ink = { ...filled(sha256), isSigned: true }
    return [
      await voss.ask('GET', path(taskId)),
      await voss.ask('GET', path(taskId, '/pages')),
      await voss.ask('POST', path(taskId, '/preview'), ink),
      await voss.ask('GET', path(taskId, '/copy')),
      await voss.ask('GET', path(taskId, '/outcome')),
      await voss.ask('GET', `/inbox/api/past/${taskId}/pdf`),
    ].map(({ status }) => status)
  }
  const SHUT = [404, 404, 404, 404, 404, 404]
  /** Copies are off in this service; there is no signed PDF yet. */
  const OPEN = [200, 200, 200, 403, 200, 404]

  it('finds every door shut before it begins and after it is over, and open in between', async () => {
    const taskId = await sent()
    const own = await opened(calder, taskId)
    const isShut = async () => {
      expect(await doors(taskId, own)).to.deep.equal(SHUT)
      expect((await sign(voss, taskId, own)).status).to.equal(409)
      expect((await voss.ask('POST', path(taskId, '/reject'), { reason: 'No' })).status).to.equal(404)
      expect(await listed(voss)).to.deep.equal([])
    }
    await isShut()
    await delegated(WHILE_MS / 4, WHILE_MS / 2)
    await isShut()
    clock.advance(WHILE_MS / 4)
    expect(await doors(taskId, own)).to.deep.equal(OPEN)
    expect((await listed(voss)).map((found) => [found.taskId, found.onBehalfOf])).to.deep.equal([
      [taskId, 'Ruth Calder DO'],
    ])
    expect((await listed(calder)).map(({ onBehalfOf }) => onBehalfOf)).to.deep.equal([null])
    clock.advance(WHILE_MS / 4)
    await isShut()
    await calder.ask('POST', path(taskId, '/reject'), { reason: 'Wrong dose' })
  })

  it('is shut out at once when it is ended, not allowed any more, or either of the two can no longer sign', async () => {
    const taskId = await sent()
    const own = await opened(calder, taskId)
    const accounts = (await operator.ask<{ id: number; npi: string }[]>('GET', '/admin/v1/accounts')).body
    const account = (npi: string) => `/admin/v1/accounts/${accounts.find((one) => one.npi === npi)!.id}`
    const closed = (npi: string) => async () => {
      await changes(account(npi), { isActive: false })
      await changes(account(npi), { isActive: true })
      await signIn()
    }
    const ends: [string, (given: number) => Promise<unknown>][] = [
      ['by the signer', (given) => calder.ask('POST', `${api}/${given}/end`)],
      ['by the colleague', (given) => voss.ask('POST', `${api}/${given}/end`)],
      ['by the operator', (given) => operator.ask('POST', `/admin/v1/delegations/${given}/end`)],
      ['with the permission', () => allow(false).then(() => allow(true))],
      ['with the account of the signer', closed(SIGNER.calder)],
      ['with the account of the colleague', closed(VOSS)],
    ]
    for (const [how, end] of ends) {
      const given = await delegated()
      expect(await doors(taskId, own), how).to.deep.equal(OPEN)
      await end(given)
      expect(await doors(taskId, own), how).to.deep.equal(SHUT)
      expect((await calder.ask<Delegations>('GET', api)).body.given, how).to.deep.equal([])
    }
    await calder.ask('POST', path(taskId, '/reject'), { reason: 'Wrong dose' })
  })

  it('signs in his own name, on behalf of the signer; both find it in their history, and the sender sees no other signer', async () => {
    const id = await delegated()
    const taskId = await sent()
    const document = await opened(voss, taskId)
    expect([document.signingName, document.initials, document.onBehalfOf]).to.deep.equal([
      'Ian Voss MD',
      'IV',
      'Ruth Calder DO',
    ])
    expect((await sign(voss, taskId, document)).status).to.equal(204)
    // The answer was lost, and the page sends it again; the signer herself has not signed it.
    expect((await sign(voss, taskId, document)).status).to.equal(204)
    expect((await sign(calder, taskId, document)).status).to.equal(409)
    expect((await voss.ask<Outcome>('GET', path(taskId, '/outcome'))).body).to.include({ state: 'signed', byYou: true })
    expect((await calder.ask<Outcome>('GET', path(taskId, '/outcome'))).body).to.include({ byYou: false })
    await calder.ask('POST', `${api}/${id}/end`)

    const ofBoth = [(await listed(voss, 'past'))[0]!, (await listed(calder, 'past'))[0]!]
    expect(ofBoth.map((past) => [past.taskId, past.onBehalfOf, past.doneBy])).to.deep.equal([
      [taskId, 'Ruth Calder DO', null],
      [taskId, null, 'Ian Voss MD'],
    ])
    const found = await voss.ask<{ documents: Past[] }>('POST', '/inbox/api/past/search', { search: 'WILLOW' })
    expect(found.body.documents.length).to.be.at.most(1)
    const { bytes } = await voss.ask('GET', `/inbox/api/past/${taskId}/pdf`)
    const text = await certificateText(bytes, 1)
    for (const line of [
      'Electronically signed on behalf of Ruth Calder DO ·',
      'Name Ian Voss MD',
      `NPI ${VOSS}`,
      `On behalf of Ruth Calder DO, NPI ${SIGNER.calder}`,
    ])
      expect(text).to.include(line)
    const task = await service.client.readTask({ params: { id: taskId } })
    expect(JSON.stringify(task)).not.to.include(VOSS)
  })

  it('sees nothing of what the signer has decided before, or alone', async () => {
    const [before, during] = [await sent(), await sent()]
    await calder.ask('POST', path(before, '/reject'), { reason: 'Wrong dose' })
    clock.advance(1_000)
    await delegated()
    const outcome = (taskId: number) => voss.ask<Outcome>('GET', path(taskId, '/outcome'))
    expect((await outcome(before)).status).to.equal(404)
    expect((await outcome(during)).body.state).to.equal('waiting')
    await calder.ask('POST', path(during, '/reject'), { reason: 'Not now' })
    expect((await outcome(during)).body).to.include({ state: 'rejected', byYou: false })
    const seen = (await listed(voss, 'past')).map(({ taskId }) => taskId)
    expect(seen).not.to.include.members([before])
    expect(seen).not.to.include.members([during])
  })

  it('is told when something of the signer begins to wait, and when the delegation ends', async () => {
    const { cookie } = voss
    const stream = await listenTo(`${service.baseUrl}/inbox/api/changes`, { cookie })
    await stream.told(1)
    const id = await delegated()
    const taskId = await sent()
    await stream.told(2)
    const told = stream.count()
    await calder.ask('POST', `${api}/${id}/end`)
    await stream.told(told + 1)
    await stream.leave()
    await calder.ask('POST', path(taskId, '/reject'), { reason: 'No' })
  })

  it('can be chosen only in an organization of both that allows it, once at a time, and not for too long', async () => {
    const { body } = await calder.ask<Delegations>('GET', api)
    expect(body.colleagues.map(({ npi, organizationId }) => [npi, organizationId])).to.deep.equal([[VOSS, harbor]])
    const refused = async (startMs: number, endMs: number, change = {}) =>
      (await delegate(startMs, endMs, change)).status
    expect(await refused(0, WHILE_MS, { delegateNpi: SIGNER.marsh })).to.equal(409)
    expect(await refused(0, WHILE_MS, { delegateNpi: SIGNER.calder })).to.equal(400)
    expect(await refused(0, WHILE_MS, { organizationId: harbor + 1 })).to.equal(409)
    expect(await refused(WHILE_MS, 0)).to.equal(400)
    expect(await refused(0, 93 * 86_400_000)).to.equal(400)
    await delegated()
    expect(await refused(WHILE_MS / 2, 2 * WHILE_MS)).to.equal(409)
    await allow(false)
    expect((await calder.ask<Delegations>('GET', api)).body).to.deep.equal({ colleagues: [], given: [], received: [] })
    expect(await refused(2 * WHILE_MS, 3 * WHILE_MS)).to.equal(409)
  })
})
