/** spec: Endpoints › Webhook subscriptions; Resources › Webhook subscription */
import { expect } from 'chai'
import type { Subscription, SubscriptionCreated } from '../../lib/contract/subscription.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const WEBHOOKS = '/api/v1/signature/webhooks'
const URL = 'https://ehr.example.org/callbacks?tenant=1'

describe('Endpoints › Webhook subscriptions', () => {
  let service: TestService
  let strict: TestService
  before(async () => {
    service = await aService()
    strict = await aService({ allowHttpWebhooks: false })
  })
  after(() => Promise.all([service.stop(), strict.stop()]))

  const create = (body: unknown) => service.ask<SubscriptionCreated>('POST', WEBHOOKS, { body })
  const list = async (key = service.key) => (await service.ask<Subscription[]>('GET', WEBHOOKS, { key })).body
  const made = async (description: string | null = null) => (await create({ url: URL, description })).body.id

  it('POST: 201 with id, url, secret, description; the secret is 256 bits, Base64-encoded', async () => {
    const { status, body } = await create({ url: URL, description: 'Orders' })
    expect(status).to.equal(201)
    expect(body).to.deep.equal({ id: body.id, url: URL, secret: body.secret, description: 'Orders' })
    const bytes = Buffer.from(body.secret, 'base64')
    expect(bytes).to.have.length(32)
    expect(bytes.toString('base64')).to.equal(body.secret)
    expect((await create({ url: URL })).body.secret, 'each has its own').not.to.equal(body.secret)
  })

  it('A subscription is active when created; GET lists id, url, description, isActive, createdAt, updatedAt and no secrets', async () => {
    const id = await made('Listed')
    const found = (await list()).find((subscription) => subscription.id === id)!
    const { createdAt, updatedAt } = found
    expect(found).to.deep.equal({ id, url: URL, description: 'Listed', isActive: true, createdAt, updatedAt })
    expect(Date.parse(createdAt!)).to.be.closeTo(Date.now(), 60_000)
  })

  for (const [rule, body, error] of [
    ['url is required', {}, 'url: required; an absolute https URL'],
    ['the body is an object', [], 'body: an object'],
    ['url is a string', { url: 5 }, 'url: an absolute https URL'],
    ['url is absolute', { url: '/callbacks' }, 'url: an absolute https URL'],
    ['url names a host', { url: 'https:ehr.example.org' }, 'url: an absolute https URL'],
    ['url is https', { url: 'ftp://ehr.example.org' }, 'url: an absolute https URL'],
    ['url has no white space', { url: 'https://ehr.example.org/a\nb' }, 'url: an absolute https URL'],
    ['url has no password', { url: 'https://a:b@ehr.example.org' }, 'url: without user name and password'],
    ['url has no fragment', { url: 'https://ehr.example.org/#x' }, 'url: without a fragment (#…)'],
    [
      'http is for this machine only',
      { url: 'http://ehr.example.org' },
      'url: an https URL; plain http is accepted for this machine only',
    ],
    ['description up to 255', { url: URL, description: 'a'.repeat(256) }, 'description: text of up to 255 characters'],
    ['description without NUL', { url: URL, description: 'a\u0000' }, 'description: text without NUL characters'],
  ] as const)
    it(`POST 400: ${rule}`, async () => {
      const { status, errors } = await create(body)
      expect({ status, errors }).to.deep.equal({ status: 400, errors: [error] })
    })

  it('POST 400: all errors at once', async () => {
    const { errors } = await create({ url: 'nowhere', description: 5 })
    expect(errors).to.have.members(['description: text of up to 255 characters', 'url: an absolute https URL'])
  })

  it('description: up to 255 characters, as people count them', async () => {
    expect((await create({ url: URL, description: '😀'.repeat(255) })).status).to.equal(201)
  })

  it('without the setting, http is refused for this machine too (choice: Plain http receivers)', async () => {
    const { status, errors } = await strict.ask('POST', WEBHOOKS, { body: { url: 'http://127.0.0.1:9/' } })
    expect({ status, errors }).to.deep.equal({ status: 400, errors: ['url: an https URL; plain http is not accepted'] })
  })

  it('PATCH: active false deactivates, true reactivates; url redirects; 200 with the subscription, no secret (choice: Answer to a subscription update)', async () => {
    const id = await made('Changing')
    const patch = (body: unknown) => service.ask<Subscription>('PATCH', `${WEBHOOKS}/${id}`, { body })
    const off = await patch({ active: false })
    expect(off.status).to.equal(200)
    expect(off.body).to.deep.include({ id, url: URL, description: 'Changing', isActive: false })
    expect(off.body).not.to.have.property('secret')
    expect((await patch({ active: true })).body.isActive).to.equal(true)
    const moved = 'https://ehr.example.org/moved'
    expect((await patch({ url: moved })).body).to.include({ url: moved, isActive: true })
    expect((await list()).find((subscription) => subscription.id === id)).to.include({ url: moved })
  })

  it('PATCH: what does not differ changes nothing, and null counts as left out (choice: Updates of subscriptions)', async () => {
    const id = await made('Staying')
    const found = async () => (await list()).find((subscription) => subscription.id === id)
    const before = await found()
    for (const body of [{ active: true }, { url: URL }, { active: null, url: URL }, { active: true, url: null }]) {
      const answer = await service.ask<Subscription>('PATCH', `${WEBHOOKS}/${id}`, { body })
      expect({ status: answer.status, body: answer.body }).to.deep.equal({ status: 200, body: before })
    }
    expect(await found()).to.deep.equal(before)
    const off = await service.ask<Subscription>('PATCH', `${WEBHOOKS}/${id}`, { body: { active: false, url: null } })
    expect(off.body).to.include({ url: URL, isActive: false })
  })

  for (const [rule, body, errors] of [
    ['an empty body', {}, ['body: at least one of active and url']],
    ['nothing but nulls', { active: null, url: null }, ['body: at least one of active and url']],
    [
      'isActive in place of active',
      { isActive: false },
      ['body: at least one of active and url (the field is active, not isActive)'],
    ],
    [
      'isActive beside a valid url, which would else be all that changes',
      { isActive: false, url: 'https://ehr.example.org/elsewhere' },
      ['active: true or false (the field is active, not isActive)'],
    ],
    ['active is boolean', { active: 'false' }, ['active: true or false']],
    ['url is https', { url: 'nowhere' }, ['url: an absolute https URL']],
    ['all at once', { active: 1, url: 'nowhere' }, ['active: true or false', 'url: an absolute https URL']],
  ] as const)
    it(`PATCH 400: ${rule}`, async () => {
      const id = await made()
      const answer = await service.ask('PATCH', `${WEBHOOKS}/${id}`, { body })
      expect({ status: answer.status, errors: answer.errors }).to.deep.equal({ status: 400, errors })
    })

  it('DELETE: 204, a soft delete: it is listed and found no more', async () => {
    const id = await made()
    expect((await service.ask('DELETE', `${WEBHOOKS}/${id}`)).status).to.equal(204)
    expect((await list()).map((subscription) => subscription.id)).not.to.include(id)
    for (const [method, body] of [
      ['DELETE', undefined],
      ['PATCH', { active: true }],
    ] as const) {
      const { status, errors } = await service.ask(method, `${WEBHOOKS}/${id}`, { body })
      expect({ status, errors }).to.deep.equal({
        status: 400,
        errors: [`There is no subscription ${id} for this key.`],
      })
    }
  })

  it('PATCH and DELETE 400: an unknown id', async () => {
    for (const [method, body] of [
      ['DELETE', undefined],
      ['PATCH', { active: true }],
    ] as const) {
      const { status, errors } = await service.ask(method, `${WEBHOOKS}/999999`, { body })
      expect({ status, errors }).to.deep.equal({
        status: 400,
        errors: ['There is no subscription 999999 for this key.'],
      })
    }
  })

  it('All calls affect only subscriptions of the organization of the key', async () => {
    const id = await made('Mine')
    expect((await list(service.otherKey)).map((subscription) => subscription.id)).not.to.include(id)
    const foreign = await service.ask('DELETE', `${WEBHOOKS}/${id}`, { key: service.otherKey })
    expect(foreign.status).to.equal(400)
    expect((await list()).map((subscription) => subscription.id)).to.include(id)
  })
})
