/** Build a delivery that verifies, break one thing: each fault has its code. */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { WEBHOOK_HEADERS } from '../../../lib/contract/callback.ts'
import { signingKey, signWebhook, type Verification, verifyWebhook } from '../../../lib/webhook/signature.ts'
import { WebhookVerificationError } from '../../../lib/webhook/verification-error.ts'
import { anEvent } from '../support/bodies.ts'
import { aDelivery, OTHER_SECRET, SECRET } from '../support/delivery.ts'

const NOW = Date.UTC(2026, 0, 15, 9, 31)
const { signature, timestamp, eventId, eventType } = WEBHOOK_HEADERS

/** A delivery that verifies; each test breaks one thing of it. */
const valid = (): Verification & { headers: Record<string, string>; payload: Buffer } => ({
  ...aDelivery({}, { at: NOW }),
  secrets: SECRET,
  now: NOW,
})

const codeOf = (verification: Verification): string => {
  try {
    verifyWebhook(verification)
    return 'believed'
  } catch (failure) {
    if (!(failure instanceof WebhookVerificationError)) throw failure
    expect(Object.hasOwn(failure, 'code'), 'code is an own property').to.equal(true)
    return failure.code
  }
}

describe('verifying what another library gives', () => {
  const { headers, payload } = valid()
  /** Finds a name in any spelling, as the headers of other libraries do. */
  const lookUp = {
    get: (name: string) => headers[Object.keys(headers).find((key) => key.toLowerCase() === name.toLowerCase()) ?? ''],
  }
  const others: Record<string, Partial<Verification>> = {
    'headers with a look-up of their own': { headers: lookUp },
    'headers of fetch': { headers: new Headers(headers) },
    'a Map': { headers: new Map(Object.entries(headers)) },
    'a Map with other spellings': {
      headers: new Map(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
    },
    'an ArrayBuffer': { payload: new Uint8Array(payload).buffer },
  }
  for (const [what, given] of Object.entries(others))
    it(`believes ${what}`, () => {
      expect(codeOf({ ...valid(), ...given })).to.equal('believed')
    })

  it('misses a header that none of them has', () => {
    for (const missing of [new Map(), new Headers(), { get: () => null }])
      expect(codeOf({ ...valid(), headers: missing })).to.equal('missing_header')
  })
})

const signed = (body: string, headers: Record<string, string> = {}) => ({
  ...valid(),
  payload: Buffer.from(body),
  headers: {
    ...valid().headers,
    [signature]: signWebhook({ secret: SECRET, body, timestamp: NOW / 1000 }),
    ...headers,
  },
})

describe('the published test vector', () => {
  const vector = JSON.parse(readFileSync('test/fixtures/webhook-vector.json', 'utf8'))

  it('is what this library signs, with the decoded bytes and with the text as the key', () => {
    expect(signWebhook(vector)).to.equal(vector.header)
    expect(signWebhook({ ...vector, secretEncoding: 'utf8' })).to.equal(vector.headerWithTextAsKey)
  })

  it('is what this library believes', () => {
    const headers = {
      [signature]: vector.header,
      [timestamp]: String(vector.timestamp),
      [eventId]: '6f1c2d1e-3f52-4c2a-9c33-0d6a4c0c7f11',
      [eventType]: 'document.status_changed',
    }
    const event = verifyWebhook({
      payload: vector.body,
      headers,
      secrets: vector.secret,
      now: vector.timestamp * 1000,
    })
    expect(event).to.deep.equal(JSON.parse(vector.body))
  })
})

describe('a delivery that is genuine', () => {
  it('gives the event', () => expect(verifyWebhook(valid())).to.deep.equal(anEvent()))

  it('is believed with any of several secrets, whichever comes first', () => {
    expect(codeOf({ ...valid(), secrets: [OTHER_SECRET, SECRET] })).to.equal('believed')
    expect(codeOf({ ...valid(), secrets: [SECRET, OTHER_SECRET] })).to.equal('believed')
  })

  it('may carry its headers in any spelling and shape', () => {
    const { headers } = valid()
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
    for (const shape of [lower, lists, new Headers(headers)])
      expect(codeOf({ ...valid(), headers: shape })).to.equal('believed')
  })

  it('may say more than the specification does', () => {
    const body = JSON.stringify({ ...anEvent(), somethingNew: true })
    expect(codeOf(signed(body))).to.equal('believed')
  })

  it('is believed up to the tolerance, both ways, and not a second beyond', () => {
    for (const seconds of [-300, 300]) expect(codeOf({ ...valid(), now: NOW + seconds * 1000 })).to.equal('believed')
    expect(codeOf({ ...valid(), now: NOW + 301_000 })).to.equal('timestamp_too_old')
    expect(codeOf({ ...valid(), now: NOW - 301_000 })).to.equal('timestamp_in_future')
    expect(codeOf({ ...valid(), now: NOW + 11_000, toleranceSeconds: 10 })).to.equal('timestamp_too_old')
  })

  it('is read with the key that the host uses', () => {
    const asText = { ...valid(), ...aDelivery({}, { at: NOW, encoding: 'utf8' }) }
    expect(codeOf(asText)).to.equal('no_match')
    expect(codeOf({ ...asText, secretEncoding: 'utf8' })).to.equal('believed')
    expect(codeOf({ ...asText, secretEncoding: 'auto' })).to.equal('believed')
    expect(codeOf({ ...valid(), secretEncoding: 'auto' })).to.equal('believed')
  })
})

describe('a delivery with one thing broken', () => {
  const flipped = (bytes: Buffer, at: number) => {
    const copy = Buffer.from(bytes)
    copy[at] = copy[at]! ^ 1
    return copy
  }

  it('is refused for any single bit of the body', () => {
    const { payload } = valid()
    for (let at = 0; at < payload.length; at++)
      expect(codeOf({ ...valid(), payload: flipped(payload, at) }), `byte ${at}`).to.equal('no_match')
  })

  it('is refused for any digit of the signature and for the other second', () => {
    const { headers } = valid()
    for (let at = 7; at < 71; at++) {
      const given = headers[signature]!
      const other = given[at] === 'a' ? 'b' : 'a'
      const changed = given.slice(0, at) + other + given.slice(at + 1)
      expect(codeOf({ ...valid(), headers: { ...headers, [signature]: changed } })).to.equal('no_match')
    }
    const later = { ...headers, [timestamp]: String(NOW / 1000 + 1) }
    expect(codeOf({ ...valid(), headers: later })).to.equal('no_match')
  })

  it('is refused with another secret', () => expect(codeOf({ ...valid(), secrets: OTHER_SECRET })).to.equal('no_match'))

  for (const name of Object.values(WEBHOOK_HEADERS))
    it(`is refused without ${name}`, () => {
      const { [name]: _, ...headers } = valid().headers
      expect(codeOf({ ...valid(), headers })).to.equal('missing_header')
    })

  const malformed = {
    [signature]: ['', 'sha1=00', 'SHA256=', `sha256=${'A'.repeat(64)}`, `sha256=${'a'.repeat(63)}`, 'a'.repeat(64)],
    [timestamp]: ['', '-1', '1e9', ' 1768469460', '1768469460.0', '0x10', 'now', '1'.repeat(13)],
  }
  for (const [name, values] of Object.entries(malformed))
    for (const value of values)
      it(`is refused when ${name} is "${value}"`, () => {
        const code = name === signature ? 'malformed_signature' : 'malformed_timestamp'
        expect(codeOf({ ...valid(), headers: { ...valid().headers, [name]: value } })).to.equal(code)
      })

  it('is refused when a header is given twice: as a list, joined by the server, or in two spellings', () => {
    const { headers } = valid()
    for (const name of [signature, timestamp]) {
      const value = headers[name]!
      const code = name === signature ? 'malformed_signature' : 'malformed_timestamp'
      expect(codeOf({ ...valid(), headers: { ...headers, [name]: [value, value] } })).to.equal(code)
      expect(codeOf({ ...valid(), headers: { ...headers, [name]: `${value}, ${value}` } })).to.equal(code)
      expect(codeOf({ ...valid(), headers: { ...headers, [name.toLowerCase()]: value } })).to.equal(code)
    }
    for (const name of [eventId, eventType]) {
      const twice = { ...headers, [name]: [headers[name]!, headers[name]!] }
      expect(codeOf({ ...valid(), headers: twice })).to.equal('header_body_mismatch')
    }
  })

  it('is refused when an unsigned header contradicts the signed body', () => {
    const other = { [eventId]: '00000000-0000-4000-8000-000000000000' }
    expect(codeOf({ ...valid(), headers: { ...valid().headers, ...other } })).to.equal('header_body_mismatch')
    const type = { [eventType]: 'document.deleted' }
    expect(codeOf({ ...valid(), headers: { ...valid().headers, ...type } })).to.equal('header_body_mismatch')
  })

  it('is refused when the signed body is not JSON, not UTF-8, or not a status event', () => {
    expect(codeOf(signed('{'))).to.equal('body_not_json')
    expect(codeOf(signed(''))).to.equal('body_not_json')
    const latin = Buffer.from([0x22, 0xe9, 0x22])
    const headers = {
      ...valid().headers,
      [signature]: signWebhook({ secret: SECRET, body: latin, timestamp: NOW / 1000 }),
    }
    expect(codeOf({ ...valid(), payload: latin, headers })).to.equal('body_not_json')
    expect(codeOf(signed('[]'))).to.equal('body_not_event')
    expect(codeOf(signed(JSON.stringify({ ...anEvent(), status: 'Lost' })))).to.equal('body_not_event')
  })

  it('is refused when a parser has been at the body', () => {
    const parsed = anEvent() as unknown as Buffer
    expect(codeOf({ ...valid(), payload: parsed })).to.equal('body_already_parsed')
    expect(codeOf({ ...valid(), payload: undefined as unknown as Buffer })).to.equal('body_already_parsed')
  })

  it('is refused when the clock or the tolerance is not a number', () => {
    expect(codeOf({ ...valid(), now: Number.NaN })).to.equal('timestamp_too_old')
    for (const toleranceSeconds of [Number.NaN, -1, Number.POSITIVE_INFINITY])
      expect(() => verifyWebhook({ ...valid(), toleranceSeconds })).to.throw(RangeError)
  })
})

describe('a secret', () => {
  it('is refused when it is empty, missing, not Base64 or has white space', () => {
    expect(codeOf({ ...valid(), secrets: '' })).to.equal('secret_malformed')
    expect(codeOf({ ...valid(), secrets: [] })).to.equal('secret_malformed')
    expect(codeOf({ ...valid(), secrets: 'not-base64!' })).to.equal('secret_malformed')
    expect(codeOf({ ...valid(), secrets: `${SECRET}\n` })).to.equal('secret_has_whitespace')
    expect(codeOf({ ...valid(), secrets: [SECRET, ` ${OTHER_SECRET}`] })).to.equal('secret_has_whitespace')
    expect(() => signingKey('', 'utf8')).to.throw(WebhookVerificationError)
  })

  it('becomes its 32 bytes, or its text', () => {
    expect(signingKey(SECRET)).to.deep.equal(Buffer.alloc(32, 7))
    expect(signingKey(SECRET, 'utf8').toString()).to.equal(SECRET)
  })

  it('stands in no error', () => {
    for (const secrets of [`${SECRET} `, OTHER_SECRET, 'canary-secret!']) {
      try {
        verifyWebhook({ ...valid(), secrets })
        expect.fail('believed')
      } catch (failure) {
        expect(String((failure as Error).stack) + JSON.stringify(failure)).not.to.contain(secrets.trim())
      }
    }
  })
})

describe('signing', () => {
  it('refuses a timestamp that is not in whole seconds', () => {
    for (const wrong of [1.5, -1, Number.NaN, Date.now() * 1000])
      expect(() => signWebhook({ secret: SECRET, body: '', timestamp: wrong })).to.throw(RangeError)
  })
})
