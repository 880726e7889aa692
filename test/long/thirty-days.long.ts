/** `npm run test:long`: thirty days pass while 500 webhooks are due to receivers that do not answer. */
import { expect } from 'chai'
import type { Reading } from '../../server/operations/sandbox/messages.ts'
import { aVisit } from '../support/browser/a-visit.ts'
import { freePort } from '../support/network/free-port.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const WEBHOOKS = 500
const DAYS = 30
const DAY_SECONDS = 86_400

describe(`${DAYS} days with ${WEBHOOKS} webhooks due to dead receivers`, function () {
  this.timeout(1_800_000)
  let service: TestService
  before(async () => {
    service = await aService()
  })
  after(() => service.stop())

  it('pass: the target is reached, progress is shown on the way, and no session is lost', async () => {
    for (let receiver = 0; receiver < 5; receiver++)
      await service.client.createSubscription({ body: { url: `http://127.0.0.1:${await freePort()}/dead` } })
    await service.ask('POST', '/sandbox/v1/review', { body: { patients: 'none' } })
    for (let made = 0; made < WEBHOOKS / 5; made++)
      await service.reaches(
        await service.create(aCreateBody({ document: { externalDocId: `DEAD-${made}` } })),
        'Pending',
      )
    const visit = aVisit(service.baseUrl)
    await visit.signInAs('Service operator')

    const read = async () => (await service.ask<Reading>('GET', '/sandbox/v1/clock')).body
    const { now } = await read()
    const target = Date.parse(now) + DAYS * DAY_SECONDS * 1000
    const began = performance.now()
    const { status, body } = await service.ask<Reading>('POST', '/sandbox/v1/clock', {
      body: { advanceSeconds: DAYS * DAY_SECONDS },
    })
    expect(status).to.equal(202)
    const seen = [body]
    while (!seen.at(-1)!.reached) {
      await new Promise((resolve) => setTimeout(resolve, 500))
      seen.push(await read())
    }
    const times = seen.map((reading) => Date.parse(reading.now))
    console.log(
      `      ${DAYS} days in ${Math.round((performance.now() - began) / 1000)} s, ${seen.length} readings on the way`,
    )
    expect(times.at(-1)).to.be.at.least(target)
    expect(times, 'the clock never runs backwards').to.deep.equal([...times].sort((a, b) => a - b))
    const room = await visit.ask('GET', '/sandbox/v1/room', undefined, { 'x-page-place': 'console' })
    expect(room.status, 'who was signed in still is').to.equal(200)
    const due = await service.ask<{ webhooks: unknown[] }>('GET', '/sandbox/v1/clock/due')
    expect(due.body.webhooks, 'nothing is left to send').to.deep.equal([])
  })
})
