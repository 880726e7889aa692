/** spec: Limits. Limits of single fields stand with their fields; here is what is counted over requests. */
import { expect } from 'chai'
import type { SubscriptionCreated } from '../../lib/contract/subscription.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

describe('Limits', () => {
  let limited: TestService
  let unlimited: TestService
  before(async () => {
    limited = await aService({ rateLimit: 5 })
    unlimited = await aService()
  })
  after(() => Promise.all([limited.stop(), unlimited.stop()]))

  const many = async (service: TestService, count: number, key = service.key) => {
    const answers = []
    for (let n = 0; n < count; n++) answers.push(await service.ask('GET', '/api/v1/documenttypes', { key }))
    return answers
  }

  it('with the setting, a key that asks too often gets 429 with Retry-After (choice: Rate limit)', async () => {
    const answers = await many(limited, 7)
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200, 429, 429])
    const { headers, errors } = answers.at(-1)!
    expect(Number(headers.get('retry-after'))).to.be.within(1, 12)
    expect(errors).to.deep.equal([`This key may make 5 requests per minute. Go on in ${headers.get('retry-after')} s.`])
  })

  it('the limit is of the key; others and the health check go on (choice: Rate limit)', async () => {
    await many(limited, 7)
    expect((await many(limited, 1, limited.otherKey))[0]!.status).to.equal(200)
    expect((await limited.ask('GET', '/health-check')).status).to.equal(200)
  })

  it('subscriptions: fifty per organization, and a deleted one makes room', async () => {
    const path = '/api/v1/signature/webhooks'
    const create = (key = unlimited.key) =>
      unlimited.ask<SubscriptionCreated>('POST', path, { key, body: { url: 'https://ehr.example.org/' } })
    const made = []
    for (let n = 0; n < 50; n++) made.push(await create())
    expect(made.map(({ status }) => status)).to.deep.equal(Array(50).fill(201))
    const { status, errors } = await create()
    expect([status, errors]).to.deep.equal([400, ['An organization has up to 50 subscriptions; delete one first.']])
    expect((await create(unlimited.otherKey)).status, 'another organization').to.equal(201)
    await unlimited.ask('DELETE', `${path}/${made[0]!.body.id}`)
    expect((await create()).status).to.equal(201)
  })

  it('none by default (choice: Rate limit)', async () => {
    const statuses = (await many(unlimited, 200)).map(({ status }) => status)
    expect(new Set(statuses)).to.deep.equal(new Set([200]))
  })
})
