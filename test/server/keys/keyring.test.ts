/** API keys: what they look like, and whom they let in. Over a real store in memory. */
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { expect } from 'chai'
import { STRANGERS } from '../../../server/choices.ts'
import { OPERATOR } from '../../../server/domain/audit.ts'
import { Refusal } from '../../../server/domain/refusal.ts'
import { digestOf, makeKey, readKey } from '../../../server/keys/api-key.ts'
import { createKeyring, type Keyring } from '../../../server/keys/keyring.ts'
import { openStore, type Store } from '../../../server/store/store.ts'

const AT = new Date('2026-01-15T09:30:00.000Z')

describe('An API key', () => {
  const made = makeKey('live', randomBytes)

  it('is csk_<test|live>_<key id>_<256 random bits>_<checksum>, one word for a double click', () => {
    expect(made.key).to.match(/^csk_live_[0-9A-Za-z]{11}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/)
    expect(makeKey('test', randomBytes).key).to.match(/^csk_test_/)
    expect(made.key.split('_')[2]).to.equal(made.keyId)
    expect(made.last4).to.equal(made.key.slice(-4))
  })

  it('is kept as its SHA-256, from which it cannot be read', () => {
    expect(made.digest)
      .to.equal(digestOf(made.key))
      .and.to.match(/^[0-9a-f]{64}$/)
    const { key, ...kept } = made
    expect(JSON.stringify(kept)).not.to.include(key.split('_')[3]!)
  })

  it('uses all of the randomness: all 256 bits come in, and other bytes make another key', () => {
    const from = (secret: Buffer) => makeKey('live', (bytes) => (bytes === 32 ? secret : Buffer.alloc(bytes))).key
    const [zero, first, last] = [Buffer.alloc(32), Buffer.alloc(32), Buffer.alloc(32)]
    first[0] = 128
    last[31] = 1
    expect(new Set([zero, first, last].map(from)).size).to.equal(3)
  })

  it('is told from one with a typing error by its checksum, wherever the error is', () => {
    expect(readKey(made.key)).to.deep.equal({ keyId: made.keyId, mode: 'live', digest: made.digest })
    for (let at = 0; at < made.key.length; at++) {
      const wrong = made.key.slice(0, at) + (made.key[at] === 'x' ? 'y' : 'x') + made.key.slice(at + 1)
      expect(readKey(wrong), `place ${at}`).to.equal(null)
    }
    for (const wrong of [
      '',
      'csk',
      ` ${made.key}`,
      `${made.key}\n`,
      made.key.toLowerCase(),
      made.key.replace('live', 'prod'),
    ])
      expect(readKey(wrong), wrong).to.equal(null)
  })
})

describe('The keyring', () => {
  let store: Store
  let ring: Keyring
  let organizationId: number
  beforeEach(async () => {
    store = await openStore(':memory:', randomBytes(32))
    ring = createKeyring(store, 'live', randomBytes)
    organizationId = await store.organizations.create(
      { name: 'Willow Creek', npi: null, addresses: [], ingestionEnabled: true },
      AT,
    )
  })
  afterEach(() => store.close())

  const refusal = async (key: string | undefined, at = AT, by = ring) => {
    const failure: unknown = await by.callerOf(key, at).then(
      () => null,
      (reason: unknown) => reason,
    )
    if (!(failure instanceof Refusal)) throw new Error(`not refused: ${failure}`)
    return [failure.kind, ...failure.errors]
  }

  it('knows the caller of a key that was issued', async () => {
    const { key, keyId } = await ring.issue(organizationId, 'EHR', AT)
    expect(await ring.callerOf(key, AT)).to.deep.equal({ organizationId, keyId })
  })

  it('looks few unknown keys up at once: a known one waits for none of 2,000, and a new one for those of its own network', async () => {
    const known = await ring.issue(organizationId, 'EHR', AT)
    const operator = await ring.issueToOperator(
      { organizationId: null, description: 'all', expiresAt: null, scopes: [] },
      AT,
      OPERATOR,
    )
    const fresh = await ring.issue(organizationId, 'new EHR', AT)
    let atOnce = 0
    let most = 0
    const counted = async <T>(found: Promise<T>): Promise<T> => {
      most = Math.max(most, ++atOnce)
      return found.finally(() => {
        atOnce -= 1
      })
    }
    const keys = { ...store.keys, find: (id: string) => counted(store.keys.find(id)) }
    const operatorKeys = { ...store.operatorKeys, find: (id: string) => counted(store.operatorKeys.find(id)) }
    const flooded = createKeyring({ ...store, keys, operatorKeys }, 'live', randomBytes)
    await flooded.callerOf(known.key, AT)
    await flooded.operatorOf(operator.key, AT)

    const order: string[] = []
    const done = (name: string) => () => void order.push(name)
    const strangers = Array.from({ length: 2000 }, (_, number) => {
      const { key } = makeKey('live', randomBytes, number % 2 === 0 ? 'sender' : 'operator')
      const look =
        number % 2 === 0 ? flooded.callerOf(key, AT, '198.51.100.1') : flooded.operatorOf(key, AT, '198.51.100.1')
      return look.catch((failure: Refusal) => failure.kind).finally(done('stranger'))
    })
    const others = [
      flooded.callerOf(known.key, AT, '198.51.100.1').then(done('known')),
      flooded.operatorOf(operator.key, AT, '198.51.100.1').then(done('operator')),
      flooded.callerOf(fresh.key, AT, '203.0.113.9').then(done('fresh')),
    ]
    await Promise.all(others)
    const before = order.filter((name) => name === 'stranger').length
    expect(before, 'strangers who were answered before the others').to.be.lessThan(100)
    expect(new Set(await Promise.all(strangers))).to.deep.equal(new Set(['keyRefused']))
    // Those that are known, and those in line.
    expect(most).to.be.at.most(STRANGERS.atOnce + 2)
  })

  it('looks a key up twice for a thousand requests at once, and once more after it was revoked', async () => {
    const { key, keyId } = await ring.issue(organizationId, 'EHR', AT)
    let looks = 0
    const keys = {
      ...store.keys,
      find: (id: string) => {
        looks += 1
        return store.keys.find(id)
      },
    }
    const counting = createKeyring({ ...store, keys }, 'live', randomBytes)
    const callers = await Promise.all(Array.from({ length: 1000 }, () => counting.callerOf(key, AT)))
    expect(new Set(callers.map((caller) => caller.organizationId))).to.deep.equal(new Set([organizationId]))
    expect(looks).to.equal(2)

    const before = counting.callerOf(key, AT).catch(() => {})
    await store.keys.revoke(keyId, AT)
    expect(await refusal(key, AT, counting)).to.deep.equal(['keyRefused', 'x-api-key: this key was revoked'])
    await before
  })

  it('knows several keys of an organization, so that they can be rotated', async () => {
    const [first, second] = [await ring.issue(organizationId, 'old', AT), await ring.issue(organizationId, 'new', AT)]
    await store.keys.revoke(first.keyId, AT)
    expect(await refusal(first.key)).to.deep.equal(['keyRefused', 'x-api-key: this key was revoked'])
    expect((await ring.callerOf(second.key, AT)).organizationId).to.equal(organizationId)
  })

  it('refuses a key from the moment it expires', async () => {
    const { key, ...kept } = makeKey('live', randomBytes)
    const expiresAt = '2026-02-01T00:00:00.000Z'
    const terms = { organizationId, personName: null, description: '', createdAt: AT.toISOString(), expiresAt }
    await store.keys.insert({ ...kept, ...terms })
    expect((await ring.callerOf(key, new Date('2026-01-31T23:59:59.999Z'))).organizationId).to.equal(organizationId)
    expect(await refusal(key, new Date(expiresAt))).to.deep.equal(['keyRefused', 'x-api-key: this key has expired'])
  })

  it('refuses a test key on a live service and a live key on a test one', async () => {
    const sandbox = createKeyring(store, 'test', randomBytes)
    const [live, test] = [await ring.issue(organizationId, '', AT), await sandbox.issue(organizationId, '', AT)]
    expect(await refusal(test.key)).to.deep.equal(['keyRefused', 'x-api-key: a test key does not open a live service'])
    expect(await refusal(live.key, AT, sandbox)).to.deep.equal([
      'keyRefused',
      'x-api-key: a live key does not open a test service',
    ])
  })

  it('gives the same answer to an unknown key and to a known id with another secret', async () => {
    const { keyId } = await ring.issue(organizationId, '', AT)
    const forged = makeKey('live', (bytes) => randomBytes(bytes))
    const sameId = makeKey('live', randomBytes)
    const swapped = `csk_live_${keyId}_${sameId.key.split('_')[3]}`
    expect(await refusal(forged.key)).to.deep.equal(['keyRefused', 'x-api-key: this key is not known here'])
    expect(await refusal(`${swapped}_000000`)).to.deep.equal(['keyRefused', 'x-api-key: this key is not known here'])
    expect(await refusal(withChecksum(swapped, forged.key))).to.deep.equal([
      'keyRefused',
      'x-api-key: this key is not known here',
    ])
    expect(await refusal(undefined)).to.deep.equal([
      'keyMissing',
      'x-api-key: required; the API key of your organization',
    ])
  })

  it('refuses every key of an organization that is inactive, of every person, until it is active again', async () => {
    const { key } = await ring.issue(organizationId, 'EHR', AT, { personName: 'Ann Vale' })
    const temporary = ring.issueTemporary(organizationId)
    const terms = { organizationId, description: '', expiresAt: null, scopes: [] }
    const { key: operatorKey } = await ring.issueToOperator(terms, AT, OPERATOR)
    const { key: ofAll } = await ring.issueToOperator({ ...terms, organizationId: null }, AT, OPERATOR)
    const operatorRefusal = (given: string) => ring.operatorOf(given, AT).then(String, ({ message }: Error) => message)
    await store.organizations.update(organizationId, { isActive: false }, AT)
    const inactive = 'x-api-key: the organization of this key is inactive'
    for (const one of [key, temporary]) expect(await refusal(one)).to.deep.equal(['keyRefused', inactive])
    expect(await operatorRefusal(operatorKey)).to.equal(inactive)
    expect((await ring.operatorOf(ofAll, AT)).organizationId).to.equal(null)
    await store.organizations.update(organizationId, { isActive: true }, AT)
    for (const one of [key, temporary]) expect((await ring.callerOf(one, AT)).organizationId).to.equal(organizationId)
    expect((await ring.operatorOf(operatorKey, AT)).organizationId).to.equal(organizationId)
  })

  it('keeps whose key it is, also of a key that was revoked', async () => {
    const { keyId } = await ring.issue(organizationId, 'EHR', AT, { personName: 'Ann Vale' })
    await store.keys.revoke(keyId, AT)
    expect((await store.keys.list()).map(({ personName }) => personName)).to.deep.equal(['Ann Vale'])
  })

  it('knows a temporary key in this process only', async () => {
    const key = ring.issueTemporary(organizationId)
    expect((await ring.callerOf(key, AT)).organizationId).to.equal(organizationId)
    expect((await refusal(key, AT, createKeyring(store, 'live', randomBytes)))[0]).to.equal('keyRefused')
    expect(await store.keys.list()).to.deep.equal([])
  })

  it('writes when a key was last used, once a minute at most', async () => {
    const { key, keyId } = await ring.issue(organizationId, '', AT)
    const usedAt = async () => (await store.keys.find(keyId))?.lastUsedAt
    const later = (seconds: number) => new Date(AT.getTime() + seconds * 1000)
    await ring.callerOf(key, AT)
    expect(await usedAt()).to.equal(AT.toISOString())
    await ring.callerOf(key, later(59))
    expect(await usedAt()).to.equal(AT.toISOString())
    await ring.callerOf(key, later(60))
    expect(await usedAt()).to.equal(later(60).toISOString())
  })
})

/** The same body with a checksum that is right, as somebody who knows the format would forge it. */
function withChecksum(body: string, like: string): string {
  const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let sum = crc32(body)
  let text = ''
  for (let digit = 0; digit < 6; digit++) {
    text = DIGITS[sum % 62] + text
    sum = Math.floor(sum / 62)
  }
  const key = `${body}_${text}`
  if (key.length !== like.length || readKey(key) === null) throw new Error('the forged key is not well-formed')
  return key
}
