import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook } from '../../lib/webhook/signature.ts'
import { signedWebhook, TEST_SECRET } from '../../testing/door.ts'

describe('A signed webhook for tests', () => {
  const event = { taskId: 1001, status: 'Completed' } as const

  it('is believed, and says what it was given', () => {
    const { headers, body } = signedWebhook({ ...event, statusReason: 'why' })
    const verified = verifyWebhook({ payload: body, headers, secrets: TEST_SECRET })
    expect(verified).to.include({ ...event, statusReason: 'why', documentId: null })
  })

  it('is not believed with another secret, another body or at another time', () => {
    const { headers, body } = signedWebhook(event, { now: Date.now() - 600_000 })
    const verify = (given: { payload: string; secrets: string; now?: number }) => () =>
      verifyWebhook({ headers, ...given })
    expect(verify({ payload: body, secrets: TEST_SECRET }))
      .to.throw()
      .with.property('code', 'timestamp_too_old')
    const now = Date.now() - 600_000
    expect(verify({ payload: `${body} `, secrets: TEST_SECRET, now }))
      .to.throw()
      .with.property('code', 'no_match')
    const secret = Buffer.alloc(32, 7).toString('base64')
    expect(verify({ payload: body, secrets: secret, now }))
      .to.throw()
      .with.property('code', 'no_match')
    expect(verify({ payload: body, secrets: TEST_SECRET, now })).not.to.throw()
  })

  it('is verified by a library for Standard Webhooks, and by nothing once it was changed', () => {
    const { headers, body } = signedWebhook(event)
    const library = new Webhook(TEST_SECRET)
    expect(library.verify(body, headers)).to.include(event)
    expect(new Webhook(`whsec_${TEST_SECRET}`).verify(body, headers)).to.include(event)
    expect(() => library.verify(`${body} `, headers)).to.throw('No matching signature')
    expect(() => library.verify(body, { ...headers, 'webhook-id': 'another' })).to.throw('No matching signature')
    expect(() => new Webhook(Buffer.alloc(32, 7).toString('base64')).verify(body, headers)).to.throw()
  })

  it('follows the profile of the host', () => {
    const profile = { headerPrefix: 'X-Acme-', webhook: { timestampUnit: 'ms', secretEncoding: 'utf8' } } as const
    const { headers, body } = signedWebhook(event, { secret: 'a-secret', profile })
    expect(headers).to.include.keys('X-Acme-Signature', 'X-Acme-Event-Id')
    expect(headers).to.not.have.property('webhook-signature')
    expect(verifyWebhook({ payload: body, headers, secrets: 'a-secret', profile }).taskId).to.equal(1001)
  })
})
