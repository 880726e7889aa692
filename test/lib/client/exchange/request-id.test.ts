/** What the host calls a request is on every error, so that its operator can find it. */
import { expect } from 'chai'
import { RefusedError } from '../../../../lib/client/errors.ts'
import { requestIdOf } from '../../../../lib/client/exchange/request-id.ts'
import { aService, type TestService } from '../../../support/service/a-service.ts'
import { aCreateBody } from '../../support/bodies.ts'
import { type AHost, aHost } from './a-host.ts'
import { failureOf } from './failure-of.ts'

const ID = '6f1c2d1e-3f52-4c2a-9c33-0d6a4c0c7f11'

describe('the id of a request', () => {
  let host: AHost
  before(async () => {
    host = await aHost()
  })
  after(() => host.stop())

  for (const [status, name] of [
    [400, 'RefusedError'],
    [401, 'UnauthorizedError'],
    [403, 'UnauthorizedError'],
    [404, 'RefusedError'],
    [429, 'RateLimitedError'],
    [500, 'UnreachableError'],
    [503, 'UnreachableError'],
    [407, 'UnreachableError'],
    [302, 'UnexpectedResponseError'],
    [200, 'UnexpectedResponseError'],
  ] as const)
    it(`is on the error of status ${status}, and in its message`, async () => {
      host.plan({ status, headers: { 'X-Request-Id': ID }, body: 'x' })
      const failure = await failureOf(host.client().listTemplates())
      expect(failure).to.include({ name, requestId: ID })
      expect(failure.message.endsWith(` (request ${ID})`)).to.equal(true)
    })

  it('is null, and not in the message, when the host gives none or none answers', async () => {
    host.plan({ status: 400 }, null)
    for (const _ of 'ab') {
      const failure = await failureOf(host.client().listTemplates())
      expect(failure.requestId).to.equal(null)
      expect(failure.message).not.to.contain('(request')
    }
  })

  it('is no text that a host puts in its place', () => {
    for (const text of [undefined, '', 'two words', '<script>', 'x'.repeat(129), ['a']])
      expect(requestIdOf(text, []), String(text)).to.equal(null)
    expect(requestIdOf('Root=1-67891233-abcdef012345678912345678', [])).to.be.a('string')
  })

  it('is nothing that was sent', async () => {
    const patient = { ...aCreateBody().patient, externalId: 'canary-patient' }
    for (const id of ['key', 'trace/canary-patient', 'CANARY-PATIENT']) {
      host.plan({ status: 400, headers: { 'x-request-id': id } })
      const failure = await failureOf(host.client().createTask({ body: { ...aCreateBody(), patient } }))
      expect(failure.requestId, id).to.equal(null)
      expect(failure.message).not.to.contain(id)
    }
  })
})

describe('the id of a request to our own service', () => {
  let service: TestService
  before(async () => {
    service = await aService()
  })
  after(() => service.stop())

  it('is that of its log', async () => {
    const failure = await failureOf(service.client.readTask({ params: { id: 4711 } }))
    expect(failure).to.be.instanceOf(RefusedError)
    expect(failure.requestId).to.match(/^[0-9a-f-]{36}$/)
  })
})
