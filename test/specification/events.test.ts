/** spec: Events. The retry schedule, the address guard and the delivery log have tests of their own with the dispatcher. */
import { createHmac } from 'node:crypto'
import { expect } from 'chai'
import { TestReceiver } from '../support/network/test-receiver.ts'
import { aCreateBody, SIGNER } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

describe('Events', () => {
  let service: TestService
  let receiver: TestReceiver
  let secret: string
  before(async () => {
    service = await aService()
    receiver = await TestReceiver.start()
    secret = (await service.client.createSubscription({ body: { url: receiver.url } })).secret
    receiver.secrets.push(secret)
  })
  after(() => Promise.all([service.stop(), receiver.stop()]))

  const anEvent = async (signer: string = SIGNER.calder) => {
    const taskId = await service.create(aCreateBody({ performer: { signer: { userNPI: signer } } }))
    return receiver.until(({ event }) => event?.taskId === taskId)
  }

  it('Delivery request headers', async () => {
    const { headers, event } = await anEvent()
    expect(headers['content-type']).to.equal('application/json')
    expect(headers['x-service-signature']).to.match(/^sha256=[0-9a-f]{64}$/)
    expect(headers['x-service-timestamp']).to.match(/^\d{10}$/)
    expect(Number(headers['x-service-timestamp'])).to.be.closeTo(Date.now() / 1000, 60)
    expect(headers['x-service-event-id']).to.equal(event!.eventId)
    expect(headers['x-service-event-type']).to.equal('document.status_changed')
  })

  it('Delivery body: camelCase JSON, these seven fields and no other; it does not carry the signed PDF', async () => {
    const { body } = await anEvent()
    const sent = JSON.parse(body.toString()) as Record<string, unknown>
    expect(Object.keys(sent).sort()).to.deep.equal(
      ['eventId', 'eventType', 'taskId', 'documentId', 'status', 'statusReason', 'occurredAtUtc'].sort(),
    )
    expect(sent.eventId).to.match(GUID)
    expect(sent).to.include({ eventType: 'document.status_changed', status: 'Pending', statusReason: null })
    expect(sent.occurredAtUtc).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  it('documentId may be null early; statusReason says why, on Failed', async () => {
    const { event } = await anEvent(SIGNER.unknown)
    expect(event).to.include({ status: 'Failed', documentId: null })
    expect(event!.statusReason).to.be.a('string').and.not.equal('')
  })

  it('Signature verification 1–3: HMAC-SHA256 of `<timestamp>.<raw body>`, keyed by the decoded secret, lowercase hex', async () => {
    const { headers, body } = await anEvent()
    const key = Buffer.from(secret, 'base64')
    const expected = createHmac('sha256', key).update(`${headers['x-service-timestamp']}.`).update(body).digest('hex')
    expect(headers['x-service-signature']).to.equal(`sha256=${expected}`)
  })

  it('Authentication 5: a delivery carries no API key', async () => {
    const { headers, body } = await anEvent()
    expect(headers).not.to.have.property('x-api-key')
    expect(body.toString()).not.to.include(service.key)
  })

  it('Sent to each active subscription of the organization, each signed with its own secret; none to inactive, deleted or foreign ones', async () => {
    const receivers = await Promise.all(Array.from({ length: 4 }, () => TestReceiver.start()))
    const [second, inactive, deleted, foreign] = receivers as [TestReceiver, TestReceiver, TestReceiver, TestReceiver]
    try {
      const { client, other } = service
      second.secrets.push((await client.createSubscription({ body: { url: second.url } })).secret)
      const off = await client.createSubscription({ body: { url: inactive.url } })
      await client.updateSubscription({ params: { id: off.id }, body: { active: false } })
      const gone = await client.createSubscription({ body: { url: deleted.url } })
      await client.deleteSubscription({ params: { id: gone.id } })
      await other.createSubscription({ body: { url: foreign.url } })

      const taskId = await service.create(aCreateBody())
      const [one, two] = await Promise.all(
        [receiver, second].map((to) => to.until(({ event }) => event?.taskId === taskId)),
      )
      expect(one!.event, 'the same event').to.deep.equal(two!.event)
      expect(one!.headers['x-service-signature']).not.to.equal(two!.headers['x-service-signature'])
      await service.signs(taskId)
      await receiver.until(({ event }) => event?.taskId === taskId && event.status === 'Completed')
      for (const silent of [inactive, deleted, foreign]) expect(silent.received).to.deep.equal([])
    } finally {
      await Promise.all(receivers.map((each) => each.stop()))
    }
  })

  it('A reactivated subscription receives what happens from then on', async () => {
    const again = await TestReceiver.start()
    try {
      const { client } = service
      const { id, secret: known } = await client.createSubscription({ body: { url: again.url } })
      again.secrets.push(known)
      await client.updateSubscription({ params: { id }, body: { active: false } })
      const missed = (await anEvent()).event!.taskId
      await client.updateSubscription({ params: { id }, body: { active: true } })
      const { taskId } = (await anEvent()).event!
      await again.until(({ event }) => event?.taskId === taskId)
      expect(again.statusesOf(missed)).to.deep.equal([])
    } finally {
      await again.stop()
    }
  })

  it('Delivery behavior: a non-success response is a failure and is retried, the same event with the same id and bytes', async () => {
    receiver.status = 500
    const first = await anEvent()
    receiver.status = 204
    const isAgain = ({ headers }: { headers: Record<string, unknown> }) =>
      headers['x-service-event-id'] === first.event!.eventId && headers['x-service-attempt'] === '2'
    const second = await receiver.until(isAgain, 12_000)
    expect(second.body.equals(first.body)).to.equal(true)
    expect(receiver.received.filter(({ event }) => event?.eventId === first.event!.eventId)).to.have.length(2)
  })
})
