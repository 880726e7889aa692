/** Resending by hand: it goes out now although the receiver is paused, and the answer says what happened. */
import { expect } from 'chai'
import type { Delivery, DeliveryFile, Redelivered } from '../../../server/operations/operator/messages/deliveries.ts'
import type { SparedReceiver } from '../../../server/operations/operator/messages/instances.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { eventually } from '../../support/eventually.ts'
import { runningClock } from '../../support/fake-clock.ts'
import { TestReceiver } from '../../support/network/test-receiver.ts'
import { aCreateBody, SIGNER } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

/** Enough that the failures of their first attempts pause the receiver. */
const EVENTS = 20

describe('resending by hand to a receiver that is paused', function () {
  this.timeout(60_000)
  const clock = runningClock()
  let service: TestService
  let receiver: TestReceiver
  let operator: Visit

  before(async () => {
    ;[service, receiver] = await Promise.all([aService({ clock }), TestReceiver.start()])
    operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    receiver.status = 500
    const { secret } = await service.client.createSubscription({ body: { url: receiver.url } })
    receiver.secrets.push(secret)
    const performer = { signer: { userNPI: SIGNER.unknown } }
    for (let n = 0; n < EVENTS; n++) await service.create(aCreateBody({ performer }))
    await eventually(async () => expect(await list()).to.have.length(EVENTS))
    await eventually(async () => expect(await paused()).to.have.length(1))
    await eventually(async () => expect((await list()).filter(({ isUnderWay }) => isUnderWay)).to.deep.equal([]))
  })
  after(async () => {
    await service.stop()
    await receiver.stop()
  })

  const ask = async <T>(method: string, path: string, body?: object) =>
    operator.ask<T>(method, `/admin/v1${path}`, body)
  const list = async (query = '') => (await ask<Delivery[]>('GET', `/deliveries?limit=100${query}`)).body
  const paused = async () => (await ask<SparedReceiver[]>('GET', '/receivers/spared')).body
  const resend = (body: object) => ask<Redelivered>('POST', '/deliveries/redeliver', body)
  const untried = async () => (await list()).find(({ attempts }) => attempts === 0)!
  const callsOf = ({ eventId }: Delivery) =>
    receiver.received.filter(({ headers }) => headers['x-service-event-id'] === eventId).length

  it('says of each delivery that waits until when, and why; never a time in the past', async () => {
    const [{ until }] = (await paused()) as [SparedReceiver]
    const waiting = await list('&state=waiting')
    expect(waiting.length).to.be.greaterThan(0)
    for (const { nextAttemptAt, heldBy } of waiting) {
      expect(nextAttemptAt! >= until || heldBy === null, `${nextAttemptAt} before ${until}`).to.equal(true)
      expect(Date.parse(nextAttemptAt!)).to.be.greaterThan(clock.now())
    }
    const { id, nextAttemptAt, heldBy } = await untried()
    expect([nextAttemptAt, heldBy]).to.deep.equal([until, { reason: 'down', until }])
    expect((await ask<DeliveryFile>('GET', `/deliveries/${id}`)).body.heldBy).to.deep.equal(heldBy)
    const shown = await service.ask<Delivery[]>('GET', `/sandbox/v1/tasks/${(await untried()).taskId}/deliveries`)
    expect(shown.body[0]!.heldBy).to.deep.equal(heldBy)
  })

  it('calls the receiver now and answers with what it said', async () => {
    const delivery = await untried()
    expect(callsOf(delivery)).to.equal(0)
    const { status, body } = await resend({ deliveryId: delivery.id })
    expect(status).to.equal(200)
    expect(body.attempt).to.include({ trigger: 'manual', status: 500, outcome: 'http', attemptNumber: 1 })
    expect(callsOf(delivery)).to.equal(1)
    expect(await paused(), 'others still wait').to.have.length(1)
  })

  it('calls the receiver for each of many, and once it is back the pause ends', async () => {
    const { body } = await resend({ subscriptionId: 1, states: ['waiting'], dryRun: true })
    const waiting = await list('&state=waiting')
    expect(body.count).to.equal(waiting.length)
    receiver.status = 204
    const sent = await resend({ subscriptionId: waiting[0]!.subscriptionId, states: ['waiting'] })
    expect([sent.body.count, sent.body.attempt]).to.deep.equal([waiting.length, undefined])
    await eventually(async () => expect(await list('&state=waiting')).to.deep.equal([]))
    expect(await paused()).to.deep.equal([])
    expect(
      (await list()).every(({ state, nextAttemptAt }) => state === 'delivered' && nextAttemptAt === null),
    ).to.equal(true)
  })
})
