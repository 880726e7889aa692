/** Callbacks of a host with names and habits of its own. */
import { expect } from 'chai'
import type { ProfileInput } from '../../../lib/profile/host-profile.ts'
import { signWebhook, type Verification, verifyWebhook } from '../../../lib/webhook/signature.ts'
import { WebhookVerificationError } from '../../../lib/webhook/verification-error.ts'
import { anEvent } from '../support/bodies.ts'
import { SECRET } from '../support/delivery.ts'

const NOW = Date.UTC(2026, 0, 15, 9, 31)
const profile: ProfileInput = {
  headerPrefix: 'X-Acme-',
  webhook: { secretEncoding: 'utf8', timestampUnit: 'ms', toleranceSeconds: 60 },
}

function delivery(event: object = {}, at = NOW): Verification {
  const whole = { ...anEvent(), ...event }
  const payload = JSON.stringify(whole)
  const headers = {
    'X-Acme-Signature': signWebhook({ secret: SECRET, body: payload, timestamp: at, profile }),
    'X-Acme-Timestamp': String(at),
    'X-Acme-Event-Id': whole.eventId,
    'X-Acme-Event-Type': whole.eventType,
  }
  return { payload, headers, secrets: SECRET, now: NOW, profile }
}

function failureOf(verification: Verification): WebhookVerificationError {
  try {
    verifyWebhook(verification)
  } catch (failure) {
    if (failure instanceof WebhookVerificationError) return failure
  }
  throw new Error('it was not refused')
}

describe('a callback of a host with a profile', () => {
  it('is believed with its header names, milliseconds, and text as the key', () => {
    expect(verifyWebhook(delivery())).to.deep.equal(anEvent())
  })

  it('is held to the tolerance of the profile, unless the call has one', () => {
    expect(failureOf(delivery({}, NOW - 61_000)).code).to.equal('timestamp_too_old')
    expect(verifyWebhook({ ...delivery({}, NOW - 61_000), toleranceSeconds: 300 })).to.deep.equal(anEvent())
  })

  it('is refused in words that name the headers of the host', () => {
    const { headers, ...rest } = delivery()
    expect(failureOf({ ...rest, headers: {} }).message).to.include('X-Acme-Signature')
    const seconds = { ...(headers as Record<string, string>), 'X-Acme-Timestamp': `${NOW}, ${NOW}` }
    expect(failureOf({ ...rest, headers: seconds }).message).to.include('X-Acme-Timestamp')
    const neutral = failureOf({ ...delivery(), profile: {} })
    expect([neutral.code, neutral.message.includes('X-Service-Signature')]).to.deep.equal(['missing_header', true])
  })

  it('may have large ids, an event id of its own kind, and fields that nobody knows', () => {
    const event = {
      taskId: 9_007_199_254_740_991,
      eventId: 'acme/7',
      documentId: 'D-7',
      statusReason: undefined,
      region: 'x',
    }
    const read = verifyWebhook(delivery(event))
    expect(read).to.include({ taskId: 9_007_199_254_740_991, eventId: 'acme/7', documentId: null })
    expect(read).not.to.have.property('region')
  })

  it('that cannot be read says where, without the value', () => {
    const { code, issues, message } = failureOf(delivery({ taskId: 'seven', status: 'Whitfield' }))
    expect(code).to.equal('body_not_event')
    expect(issues.map((issue) => issue.split(':')[0])).to.deep.equal(['taskId', 'status'])
    expect(message).not.to.match(/seven|Whitfield/)
  })
})

describe('signing for a host with a profile', () => {
  it('takes the timestamp in its unit', () => {
    expect(() => signWebhook({ secret: SECRET, body: '', timestamp: 1.5, profile })).to.throw('whole milliseconds')
    expect(() => signWebhook({ secret: SECRET, body: '', timestamp: 1.5 })).to.throw('whole seconds')
  })
})
