/** Days that pass in a moment: every retry at its time, the demo signers' turns, and a clock that stays ahead with its data. */
import { expect } from 'chai'
import { JITTER } from '../../../lib/back-off.ts'
import { RETRY_DELAYS_MS } from '../../../server/choices.ts'
import { aFolder } from '../../support/a-folder.ts'
import { aVisit } from '../../support/browser/a-visit.ts'
import { TestReceiver } from '../../support/network/test-receiver.ts'
import { aCreateBody, SIGNER } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const DAY = 24 * 60 * 60
interface Reading {
  now: string
  aheadSeconds: number
  target: string
  reached: boolean
}
const advance = (service: TestService, advanceSeconds: number) =>
  service.ask<Reading>('POST', '/sandbox/v1/clock', { body: { advanceSeconds } })

describe('the clock of a sandbox', function () {
  this.timeout(40_000)
  let service: TestService
  let receiver: TestReceiver
  beforeEach(async () => {
    ;[service, receiver] = await Promise.all([aService(), TestReceiver.start()])
    const { secret } = await service.client.createSubscription({ body: { url: receiver.url } })
    receiver.secrets.push(secret)
  })
  afterEach(() => Promise.all([service.stop(), receiver.stop()]))

  it('tells the time, and goes with real time until it is put forward', async () => {
    const { status, body } = await service.ask<Reading>('GET', '/sandbox/v1/clock')
    expect(status).to.equal(200)
    expect(body.aheadSeconds).to.equal(0)
    expect(Date.parse(body.now)).to.be.closeTo(Date.now(), 5_000)
  })

  it('leaves people signed in, who live in real time', async () => {
    const visit = aVisit(service.baseUrl)
    await visit.signInAs('Service operator')
    const { status, body } = await advance(service, 3 * DAY)
    expect([status, body.reached]).to.deep.equal([202, true])
    expect((await visit.ask('GET', '/admin/v1/counts')).status).to.equal(200)
    expect((await visit.account()).body.visitor?.name).to.equal('Service operator')
  })

  it('lets a demo signer sign in ten seconds that nobody waits for', async () => {
    // The first document waits for a thread that loads its libraries.
    await service.reaches(await service.create(aCreateBody()), 'Pending')
    const taskId = await service.create(aCreateBody({ performer: { signer: { userNPI: SIGNER.marsh } } }))
    await advance(service, 15)
    const { status, updatedAt, createdAt } = await service.client.readTask({ params: { id: taskId } })
    expect(status).to.equal('Completed')
    expect(Date.parse(updatedAt!) - Date.parse(createdAt!)).to.be.at.least(10_000)
    // It is done when the clock answers: nothing of it is still under way.
    expect(receiver.statusesOf(taskId)).to.deep.equal(['Pending', 'Completed'])
  })

  it('goes through all twelve attempts of a dead receiver, each at its time, and signs each for the real time', async () => {
    receiver.status = 500
    const taskId = await service.create(aCreateBody())
    await service.reaches(taskId, 'Pending')
    await advance(service, 5 * DAY)
    const rows = await attemptsOf(service, taskId)
    const gaps = rows.slice(1).map((at, i) => at - rows[i]!)
    expect(rows).to.have.length(12)
    for (const [i, delay] of RETRY_DELAYS_MS.entries())
      expect(gaps[i], `gap ${i + 1}`).to.be.within(delay * (1 - JITTER) - 50, delay * (1 + JITTER) + 5_000)
    expect(receiver.received).to.have.length(12)
    expect(receiver.received.map(({ refusal }) => refusal)).to.deep.equal(Array(12).fill(null))
    expect(new Set(receiver.received.map(({ body }) => body.toString()))).to.have.property('size', 1)
  })

  it('brings events to a receiver that comes back after two days', async () => {
    receiver.status = 503
    const taskId = await service.create(aCreateBody())
    await service.reaches(taskId, 'Pending')
    await advance(service, 2 * DAY)
    receiver.status = 204
    const before = receiver.received.length
    await advance(service, 2 * DAY)
    expect(receiver.received.length).to.equal(before + 1)
  })

  it('stays ahead when the service is started again with its data', async () => {
    const data = aFolder()
    const first = await aService({ data })
    const { now } = (await advance(first, 3 * DAY)).body
    await first.stop()
    const second = await aService({ data })
    const reading = (await second.ask<Reading>('GET', '/sandbox/v1/clock', { key: first.key })).body
    await second.stop()
    expect(Date.parse(reading.now)).to.be.at.least(Date.parse(now))
    expect(reading.aheadSeconds).to.be.within(3 * DAY - 1, 3 * DAY)
  })

  it('is at most five years ahead, so that every organization can have documents signed', async () => {
    const own = await aService()
    const days = { do: 'advance', seconds: 100 * DAY }
    const steps = Array.from({ length: 50 }, () => ({ say: 'Years pass.', do: Array.from({ length: 10 }, () => days) }))
    const body = { name: 'years', title: 'Years', about: 'Years pass.', steps }
    expect((await own.ask('POST', '/sandbox/v1/scenarios', { body })).status).to.equal(201)
    const played = await own.ask('POST', '/sandbox/v1/scenarios/years/play', { body: { fromStart: true } })
    expect(played.status).to.equal(409)
    expect(played.errors.join()).to.include('at most five years ahead')
    const { aheadSeconds } = (await own.ask<Reading>('GET', '/sandbox/v1/clock')).body
    expect(aheadSeconds).to.be.at.most(5 * 365 * DAY)
    const taskId = await own.create(aCreateBody())
    await own.reaches(taskId, 'Pending')
    await own.signs(taskId)
    await own.stop()
  })

  it('says what it takes', async () => {
    for (const body of [
      {},
      { advanceSeconds: 0 },
      { advanceSeconds: -5 },
      { advanceSeconds: 1.5 },
      { advanceSeconds: 1e9 },
    ]) {
      const { status, errors } = await service.ask('POST', '/sandbox/v1/clock', { body })
      expect(status).to.equal(400)
      expect(errors.join()).to.match(/^advanceSeconds: (required; )?a whole number from 1 to 8640000$/)
    }
    const misspelt = await service.ask('POST', '/sandbox/v1/clock', { body: { advanceSeconds: 5, seconds: 5 } })
    expect(misspelt.errors).to.deep.equal(['seconds: unknown parameter; allowed: advanceSeconds'])
    expect(
      (await service.ask('POST', '/sandbox/v1/clock', { body: { advanceSeconds: 5 }, key: null })).status,
    ).to.equal(401)
  })
})

/** When the attempts of the only delivery began, in milliseconds since 1970 of the sandbox. */
async function attemptsOf(service: TestService, taskId: number): Promise<number[]> {
  const { body } = await service.ask<{ log: { startedAt: string }[] }[]>(
    'GET',
    `/sandbox/v1/tasks/${taskId}/deliveries`,
  )
  expect(body).to.have.length(1)
  return body[0]!.log.map(({ startedAt }) => Date.parse(startedAt))
}
