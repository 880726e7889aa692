/** Another secret for a receiver: both are valid until a chosen time, or until the operator says that the new one is used. */
import { expect } from 'chai'
import { standardHeaders } from '../../../lib/webhook/standard-headers.ts'
import type { MadeSecret, Receiver } from '../../../server/operations/operator/messages/receivers.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { runningClock } from '../../support/fake-clock.ts'
import { type Received, TestReceiver } from '../../support/network/test-receiver.ts'
import { aCreateBody, SIGNER } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const MINUTE_MS = 60_000

describe('another secret for a receiver', function () {
  this.timeout(60_000)
  const clock = runningClock()
  let service: TestService
  let receiver: TestReceiver
  let operator: Visit
  let id: number
  let first: string
  beforeEach(async () => {
    ;[service, receiver] = await Promise.all([aService({ clock }), TestReceiver.start()])
    operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    ;({ id, secret: first } = await service.client.createSubscription({ body: { url: receiver.url } }))
  })
  afterEach(async () => {
    await service.stop()
    await receiver.stop()
  })

  const add = (until: Date, visit = operator) =>
    visit.ask<MadeSecret>('POST', `/admin/v1/receivers/${id}/secret`, { until: until.toISOString() })
  const use = () => operator.ask<Receiver>('POST', `/admin/v1/receivers/${id}/secret/use`)
  const soon = () => new Date(clock.now() + MINUTE_MS)

  /** Has an event happen, and returns its callback as a receiver that knows these secrets takes it. */
  async function next(...secrets: string[]): Promise<Received> {
    receiver.secrets.splice(0, Infinity, ...secrets)
    const before = receiver.received.length
    await service.create(aCreateBody({ performer: { signer: { userNPI: SIGNER.unknown } } }))
    return receiver.until((one) => receiver.received.indexOf(one) >= before)
  }

  /** Which of these secrets the header of Standard Webhooks carries a signature of, in its order. */
  function signedWith({ headers, body }: Received, secrets: readonly string[]): string[] {
    const at = Number(headers['webhook-timestamp']) * 1000
    const of = (secret: string) =>
      standardHeaders({ secret, eventId: String(headers['webhook-id']), at, body })['webhook-signature']
    return String(headers['webhook-signature'])
      .split(' ')
      .map((signature) => secrets.find((secret) => of(secret) === signature) ?? signature)
  }

  it('signs our own header with the old one until the chosen time, and the standard one with both', async () => {
    const { status, body } = await add(soon())
    expect(status).to.equal(201)
    expect(Buffer.from(body.secret, 'base64')).to.have.length(32)
    const both = [first, body.secret]
    const during = await next(first)
    expect(during.refusal).to.equal(null)
    expect(signedWith(during, both)).to.deep.equal(both)
    const { newSecretFrom } = (await operator.ask<Receiver>('GET', `/admin/v1/receivers/${id}`)).body
    expect(newSecretFrom).to.equal(body.until)
    clock.advance(MINUTE_MS)
    const afterwards = await next(body.secret)
    expect(afterwards.refusal).to.equal(null)
    expect(signedWith(afterwards, both)).to.deep.equal([body.secret])
    expect((await next(...both)).refusal, 'to a receiver that accepts both').to.equal(null)
  })

  it('is used alone from the moment that the operator says so', async () => {
    const { secret } = (await add(soon())).body
    const { status, body } = await use()
    expect([status, body.newSecretFrom]).to.deep.equal([200, null])
    const callback = await next(secret)
    expect(callback.refusal).to.equal(null)
    expect(signedWith(callback, [first, secret])).to.deep.equal([secret])
    const again = await use()
    expect([again.status, again.errors]).to.deep.equal([409, ['This receiver has one secret.']])
  })

  it('is one at a time, and follows on the one before it', async () => {
    const second = (await add(soon())).body.secret
    expect((await add(soon())).status).to.equal(409)
    clock.advance(MINUTE_MS)
    const third = (await add(soon())).body.secret
    const callback = await next(second)
    expect(callback.refusal).to.equal(null)
    expect(signedWith(callback, [first, second, third])).to.deep.equal([second, third])
  })

  it('needs a time to come, and is made by those alone who look after the receiver', async () => {
    expect((await add(new Date(clock.now() - 1))).errors).to.deep.equal(['until: a time to come, such as 2027-01-01'])
    const foreign = await service.other.createSubscription({ body: { url: receiver.url } })
    const administrator = aVisit(service.baseUrl)
    await administrator.signInAs('Willow Creek administrator')
    const path = `/admin/v1/receivers/${foreign.id}/secret`
    expect((await administrator.ask('POST', path, { until: soon().toISOString() })).status).to.equal(404)
    expect((await administrator.ask('POST', `${path}/use`)).status).to.equal(404)
    const untouched = await operator.ask<Receiver>('GET', `/admin/v1/receivers/${foreign.id}`)
    expect(untouched.body.newSecretFrom).to.equal(null)
    // One that its own sender is about to replace is not the administrator's to use, either.
    const until = { until: soon().toISOString() }
    expect((await operator.ask('POST', path, until)).status).to.equal(201)
    expect((await administrator.ask('POST', `${path}/use`)).status).to.equal(404)
    const replacing = await operator.ask<Receiver>('GET', `/admin/v1/receivers/${foreign.id}`)
    expect(replacing.body.newSecretFrom).to.equal(until.until)
    expect((await add(soon(), administrator)).status).to.equal(201)
  })
})
