/** What makes a demonstration repeatable: after a return to the start, documents, ids, and random delays are the same again. */
import { expect } from 'chai'
import { systemClock } from '../../../lib/clock.ts'
import { createRepeatableRandom } from '../../../server/sandbox/repeatable-random.ts'
import { eventually } from '../../support/eventually.ts'
import { TestReceiver } from '../../support/network/test-receiver.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const ORDER = { patient: 'usual', document: 'order', placement: 'coordinates', signer: '9999900035' }

interface Sample {
  document: { attachment: string; externalDocId: string }
}
interface Due {
  webhooks: { taskId: number; attempts: number; at: string }[]
}

describe('a sandbox that starts over', function () {
  this.timeout(60_000)
  const stoodStill = Date.parse('2026-11-26T15:00:00Z')
  let service: TestService
  let receiver: TestReceiver
  before(async () => {
    const clock = { ...systemClock, now: () => stoodStill }
    ;[service, receiver] = await Promise.all([aService({ clock }), TestReceiver.start()])
    receiver.status = 500
    await service.client.createSubscription({ body: { url: receiver.url } })
  })
  after(() => Promise.all([service?.stop(), receiver?.stop()]))

  async function aDemonstration() {
    const body = { everything: true }
    expect((await service.ask('POST', '/sandbox/v1/reset', { body })).status).to.equal(204)
    const sample = await service.ask<Sample>('POST', '/sandbox/v1/orders/body', { body: ORDER })
    await service.ask('POST', '/sandbox/v1/orders', { body: { ...ORDER, placement: 'tokens' } })
    const { attachment, externalDocId } = sample.body.document
    const retries: string[] = []
    for (let attempts = 1; attempts <= 3; attempts++) {
      const due = await eventually(async () => {
        const [webhook] = (await service.ask<Due>('GET', '/sandbox/v1/clock/due')).body.webhooks
        expect(webhook?.attempts).to.equal(attempts)
        return webhook!
      })
      retries.push(`${due.taskId} at ${due.at}`)
      const { now } = (await service.ask<{ now: string }>('GET', '/sandbox/v1/clock')).body
      const advanceSeconds = Math.ceil((Date.parse(due.at) - Date.parse(now)) / 1000)
      await service.ask('POST', '/sandbox/v1/clock', { body: { advanceSeconds } })
    }
    return { attachment, externalDocId, retries }
  }

  it('sends the same documents with the same ids, and tries webhooks again at the same times', async () => {
    const first = await aDemonstration()
    expect(new Set(first.retries).size).to.equal(3)
    expect(await aDemonstration()).to.deep.equal(first)
  })

  it('has random numbers that are spread from 0 to 1, and the same after each return', () => {
    const random = createRepeatableRandom()
    const first = Array.from({ length: 1000 }, random.next)
    expect(first.every((number) => number >= 0 && number < 1)).to.equal(true)
    for (let tenth = 0; tenth < 10; tenth++)
      expect(first.filter((number) => Math.floor(number * 10) === tenth).length).to.be.within(60, 140)
    expect(random.next()).not.to.equal(first[0])
    random.startOver()
    expect(Array.from({ length: 1000 }, random.next)).to.deep.equal(first)
  })
})
