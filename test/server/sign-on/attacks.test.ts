/** What is done against single sign-on by other browsers, other sites, other clients, and a provider that cannot be trusted. */
import { createPublicKey } from 'node:crypto'
import { expect } from 'chai'
import { SIGN_ON_LIFE_MS } from '../../../server/choices.ts'
import { runningClock } from '../../support/fake-clock.ts'
import { freePort } from '../../support/network/free-port.ts'
import { SIGNER } from '../../support/service/a-create-body.ts'
import { aBrowser, type TestBrowser } from '../../support/sign-on/a-browser.ts'
import {
  aHostileProvider,
  type Forgery,
  type HostileProvider,
  strangeKey,
} from '../../support/sign-on/a-hostile-provider.ts'
import { aProvider } from '../../support/sign-on/a-provider.ts'
import {
  aServiceWithSignOn,
  CLIENT,
  callbackOf,
  PASSWORD,
  type ServiceWithSignOn,
} from '../../support/sign-on/a-service-with-sign-on.ts'

const RUTH = 'ruth@practice.example'
const accounts = [
  { email: RUTH, name: 'Ruth Calder', role: 'signer', npi: SIGNER.calder },
  { email: 'mike@practice.example', name: 'Mike Olsen', role: 'operator' },
] as const
const SECRET = 'countersign-sign-on'

describe('An attack on single sign-on', () => {
  const clock = runningClock()
  let provider: HostileProvider
  let service: ServiceWithSignOn
  before(async () => {
    provider = await aHostileProvider()
    service = await aServiceWithSignOn({
      port: await freePort(),
      issuer: provider.issuer,
      accounts,
      options: { clock },
    })
  })
  after(async () => {
    await service.stop()
    await provider.stop()
  })
  beforeEach(() => provider.forge({}))

  const begun = async (returnTo?: string) => {
    const browser = aBrowser()
    const { providerUrl } = await browser.begin(service.baseUrl, returnTo)
    return { browser, back: provider.backFrom(providerUrl), providerUrl }
  }
  const visitorOf = async (browser: TestBrowser) => (await browser.account(service.baseUrl)).visitor

  /** Fails when the browser is let in, or told anything else than that. */
  async function isRefused(browser: TestBrowser, back: string, status: number, words: RegExp) {
    const page = await browser.comeBack(back)
    expect(page.status).to.equal(status)
    expect(page.text).to.match(words)
    expect(page.headers.get('content-type')).to.match(/^text\/html/)
    expect(page.headers.getSetCookie().join()).not.to.match(/countersign=[\w-]/)
    expect(await visitorOf(browser)).to.equal(null)
  }
  const BEGIN_AGAIN = /not begun in this browser, has been used already, or took too long/
  const ASK = /do not understand each other/

  it('is none when nothing is forged', async () => {
    const { browser, back } = await begun()
    expect((await browser.comeBack(back)).location).to.equal('/inbox')
    expect((await visitorOf(browser))?.email).to.equal(RUTH)
  })

  it('sends the return of one browser to another one, and neither is let in as the other', async () => {
    const mallory = await begun()
    await isRefused(aBrowser(), mallory.back, 400, BEGIN_AGAIN)
    const ruth = await begun()
    await isRefused(ruth.browser, mallory.back, 400, BEGIN_AGAIN)
    // What was sent in between has not spoilt the sign-in of either.
    expect((await ruth.browser.comeBack(provider.backFrom(ruth.providerUrl))).status).to.equal(303)
    expect((await mallory.browser.comeBack(provider.backFrom(mallory.providerUrl))).status).to.equal(303)
  })

  it('leaves the state out, makes one up, or gives two', async () => {
    const { browser, back, providerUrl } = await begun()
    await isRefused(browser, provider.backFrom(providerUrl, { state: null }), 400, BEGIN_AGAIN)
    await isRefused(browser, provider.backFrom(providerUrl, { state: 'made-up' }), 400, BEGIN_AGAIN)
    await isRefused(browser, `${back}&state=${new URL(back).searchParams.get('state')}`, 400, BEGIN_AGAIN)
  })

  it('repeats a return with all that the browser sent', async () => {
    const { browser, back } = await begun()
    const secret = browser.jarOf(service.baseUrl).get(SECRET)!
    expect((await browser.comeBack(back)).status).to.equal(303)
    expect(browser.jarOf(service.baseUrl).has(SECRET)).to.equal(false)
    const thief = aBrowser()
    thief.jarOf(service.baseUrl).set(SECRET, secret)
    await isRefused(thief, back, 400, BEGIN_AGAIN)
  })

  it('comes back after the time is over', async () => {
    const { browser, back } = await begun()
    clock.advance(SIGN_ON_LIFE_MS)
    await isRefused(browser, back, 400, BEGIN_AGAIN)
  })

  const now = () => Math.floor(Date.now() / 1000)
  const forgeries: Record<string, () => Forgery> = {
    'with another nonce': () => ({ claims: { nonce: 'of another sign-in' } }),
    'without a nonce': () => ({ claims: { nonce: undefined } }),
    'with alg none': () => ({ header: { alg: 'none', kid: undefined }, key: null }),
    'without its signature': () => ({ key: null }),
    'signed by a key of somebody else': () => ({ key: strangeKey }),
    'that names a key which the provider does not have': () => ({ header: { kid: 'second' }, key: strangeKey }),
    'of another issuer': () => ({ claims: { iss: 'https://login.example.org' } }),
    'for another audience': () => ({ claims: { aud: 'another-client' } }),
    'for several audiences, given to another one': () => ({
      claims: { aud: [CLIENT.id, 'another-client'], azp: 'another-client' },
    }),
    'that has expired': () => ({ claims: { iat: now() - 600, exp: now() - 300 } }),
    'without an expiry': () => ({ claims: { exp: undefined } }),
    'without a subject': () => ({ claims: { sub: undefined } }),
    'with an empty subject': () => ({ claims: { sub: '' } }),
    'with a subject of blanks': () => ({ claims: { sub: ' ' } }),
    'with a subject of letters that look like others': () => ({ claims: { sub: 'r\u1d1cth' } }),
    'with a subject that is longer than it may be': () => ({ claims: { sub: 'r'.repeat(256) } }),
    'that was issued in the future': () => ({ claims: { iat: now() + 86_400, exp: now() + 90_000 } }),
    'that was issued in the far future': () => ({ claims: { iat: 4_000_000_000, exp: 4_000_000_300 } }),
    'that does not say when it was issued': () => ({ claims: { iat: undefined } }),
    'that is not valid yet': () => ({ claims: { nbf: now() + 86_400 } }),
    'of a sign-in that has not taken place yet': () => ({ claims: { auth_time: now() + 86_400 } }),
    'of an issuer with a slash at its end': () => ({ claims: { iss: `${provider.issuer}/` } }),
    'for no audience': () => ({ claims: { aud: [] } }),
    'without an audience': () => ({ claims: { aud: undefined } }),
    'for an audience that is an object': () => ({ claims: { aud: { [CLIENT.id]: true } } }),
    'for an audience in a list within a list': () => ({ claims: { aud: [[CLIENT.id]] } }),
    'for an audience in capitals': () => ({ claims: { aud: CLIENT.id.toUpperCase() } }),
    'for several audiences, given to none of them': () => ({ claims: { aud: [CLIENT.id, 'another-client'] } }),
    'for this client, given to another one': () => ({ claims: { azp: 'another-client' } }),
    'for this client alone in a list, given to another one': () => ({
      claims: { aud: [CLIENT.id], azp: 'another-client' },
    }),
    'for this client, given to a list': () => ({ claims: { azp: [CLIENT.id] } }),
    'for this client, given to an empty name': () => ({ claims: { azp: '' } }),
    'with a subject that is a number': () => ({ claims: { sub: 4711 } }),
    'with a subject that is a list': () => ({ claims: { sub: ['ruth'] } }),
    'with a subject that is null': () => ({ claims: { sub: null } }),
    'with a subject with a line end': () => ({ claims: { sub: 'ruth\n' } }),
    'with a subject that begins with a blank': () => ({ claims: { sub: ' ruth' } }),
    'that was issued at a time in text': () => ({ claims: { iat: String(now()) } }),
    'that was issued at null': () => ({ claims: { iat: null } }),
    'that expires at a time in text': () => ({ claims: { exp: String(now() + 300) } }),
    'that expires at null': () => ({ claims: { exp: null } }),
    'that expired before 1970': () => ({ claims: { exp: -1 } }),
    'that is valid from a time in text': () => ({ claims: { nbf: String(now()) } }),
    'that is valid from null': () => ({ claims: { nbf: null } }),
    'of a sign-in at a time in text': () => ({ claims: { auth_time: String(now()) } }),
    'with a nonce in a list': () => ({ claims: { nonce: ['of another sign-in'] } }),
    'with an extension that must be understood': () => ({ header: { crit: ['b64'], b64: true } }),
    'that brings the key of its own signature': () => ({
      header: { kid: undefined, jwk: createPublicKey(strangeKey).export({ format: 'jwk' }) },
      key: strangeKey,
    }),
    'with another algorithm than its signature': () => ({ header: { alg: 'PS256' } }),
    'with the algorithm of a shared secret': () => ({ header: { alg: 'HS256' } }),
    'with an algorithm in capitals that is none': () => ({ header: { alg: 'NONE', kid: undefined }, key: null }),
  }
  for (const [which, forgery] of Object.entries(forgeries))
    it(`brings an ID token ${which}`, async () => {
      const { browser, back } = await begun()
      provider.forge(forgery())
      await isRefused(browser, back, 403, ASK)
    })

  it('brings no ID token, or no answer that is one', async () => {
    for (const body of ['{"access_token":"none","token_type":"bearer"}', 'not JSON', '{}']) {
      const { browser, back } = await begun()
      provider.forge({ answer: { status: 200, body } })
      await isRefused(browser, back, 403, ASK)
    }
  })

  it('mixes providers up: the return names another issuer, or none', async () => {
    for (const iss of ['https://login.example.org', null]) {
      const { browser, providerUrl } = await begun()
      await isRefused(browser, provider.backFrom(providerUrl, { iss }), 403, ASK)
    }
  })

  it('brings an address that only looks like that of an account, or is not one', async () => {
    const others = [
      'ruth@practice.example\u0000',
      'ruth@practice.example\u00a0',
      'ruth@pra\u0441tice.example',
      '\uff52uth@practice.example',
      'rut\u02b0@practice.example',
      'ruth\u200b@practice.example',
      'ruth@practice.e\u0445ample',
      'ruth@practice\u3002example',
      'ruth@practice.example\r\nCc: ruth@practice.example',
      ' ruth@practice.example',
      'ruth@practice.example\n',
      'mallory@elsewhere.example,ruth@practice.example',
      '"ruth"@practice.example@elsewhere.example',
      '',
      ['ruth@practice.example'],
      { address: 'ruth@practice.example' },
    ]
    for (const email of others) {
      const { browser, back } = await begun()
      provider.forge({ claims: { sub: 'mallory', email } })
      await isRefused(browser, back, 403, /gave no e-mail address/)
    }
  })

  it('brings an address that means an account to programs that read it otherwise', async () => {
    for (const email of [
      '<ruth@practice.example>',
      '"ruth"@practice.example',
      'ruth+x@practice.example',
      'ruth@practice.example.',
    ]) {
      const { browser, back } = await begun()
      provider.forge({ claims: { sub: 'mallory', email } })
      await isRefused(browser, back, 403, /there is no account for you here/)
    }
  })

  it('brings a letter that lower case turns into one of ASCII', async () => {
    const { browser, back } = await begun()
    provider.forge({ claims: { sub: 'mallory', email: 'mi\u212ae@practice.example' } })
    await isRefused(browser, back, 403, /gave no e-mail address/)
  })

  it('brings an address that nobody has verified', async () => {
    for (const email_verified of [false, undefined, 'true', 1]) {
      const { browser, back } = await begun()
      provider.forge({ claims: { sub: 'mallory', email_verified } })
      await isRefused(browser, back, 403, /has not verified your e-mail address/)
    }
  })

  it('brings the address of an account that is linked to somebody else', async () => {
    const first = await begun()
    await first.browser.comeBack(first.back)
    const { browser, back } = await begun()
    provider.forge({ claims: { sub: 'mallory' } })
    await isRefused(browser, back, 403, /is linked to another identity at Lakeside Health/)
    expect(await service.audited()).to.include(`session.sign-on refused ${service.idOf(RUTH)}`)
  })

  it('asks to be sent on to another site', async () => {
    for (const returnTo of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/inbox/../..//evil.example',
      '/inbox#/../x\n',
      '/inboxes',
      '/inbox?next=//evil.example',
      'javascript:alert(1)',
      '',
    ]) {
      const { status, errors } = await aBrowser().begin(service.baseUrl, returnTo)
      expect([status, errors], returnTo).to.deep.equal([400, ['returnTo: a page of this service']])
    }
    const { browser, back } = await begun('/inbox#/documents/7')
    expect((await browser.comeBack(`${back}&returnTo=//evil.example`)).location).to.equal('/inbox#/documents/7')
  })

  it('begins a sign-in from the page of another site', async () => {
    expect((await aBrowser().begin(service.baseUrl, '/inbox', 'https://evil.example')).status).to.equal(403)
  })

  it('plants a session and waits for somebody to sign in with it', async () => {
    const { browser, back } = await begun()
    browser.jarOf(service.baseUrl).set('countersign', 'planted')
    await browser.comeBack(back)
    expect(browser.jarOf(service.baseUrl).get('countersign')).to.match(/^[\w-]{43}$/)
    const mallory = aBrowser()
    mallory.jarOf(service.baseUrl).set('countersign', 'planted')
    expect(await visitorOf(mallory)).to.equal(null)
  })

  it('goes on with the session that a browser had before somebody else signed in there', async () => {
    const browser = aBrowser()
    const headers = { origin: service.baseUrl, 'content-type': 'application/json' }
    const body = JSON.stringify({ email: RUTH, password: PASSWORD })
    await browser.ask('POST', `${service.baseUrl}/account/api/session`, { headers, body })
    const before = browser.jarOf(service.baseUrl).get('countersign')!
    const { providerUrl } = await browser.begin(service.baseUrl)
    await browser.comeBack(provider.backFrom(providerUrl))
    const mallory = aBrowser()
    mallory.jarOf(service.baseUrl).set('countersign', before)
    expect(await visitorOf(mallory)).to.equal(null)
    expect((await visitorOf(browser))?.email).to.equal(RUTH)
  })

  it('takes what the store holds of a sign-in on its way', async () => {
    const { browser, providerUrl } = await begun()
    const secret = browser.jarOf(service.baseUrl).get(SECRET)!
    const { DatabaseSync } = await import('node:sqlite')
    const database = new DatabaseSync(`${service.folder}/countersign.sqlite`)
    const rows = JSON.stringify(database.prepare('SELECT * FROM sign_on_attempt').all())
    database.close()
    const asked = new URL(providerUrl).searchParams
    for (const value of [secret, asked.get('state')!, asked.get('nonce')!]) expect(rows).not.to.include(value)
    expect(rows).to.include('/inbox')
  })

  it('knows the state, the nonce and the challenge of one sign-in from another', async () => {
    const [first, second] = [await begun(), await begun()].map(({ providerUrl }) => new URL(providerUrl).searchParams)
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(first!.get(name)).to.match(/^[\w-]{43}$/)
      expect(first!.get(name), name).not.to.equal(second!.get(name))
    }
  })

  it('fills the audit log with returns of its own making', async () => {
    const count = async () =>
      (await service.audited()).filter((row) => row.startsWith('session.sign-on refused')).length
    await aBrowser().comeBack(`${callbackOf(service.baseUrl)}?state=made-up`)
    const before = await count()
    for (let i = 0; i < 20; i++) await aBrowser().comeBack(`${callbackOf(service.baseUrl)}?state=${i}`)
    expect(await count()).to.equal(before)
  })
})

describe('A code that a real provider gave to another client', () => {
  it('is worth nothing here', async () => {
    const port = await freePort()
    const redirectUri = callbackOf(`http://127.0.0.1:${port}`)
    const clients = [CLIENT, { id: 'another', secret: 'of another client' }].map((one) => ({ ...one, redirectUri }))
    const provider = await aProvider(clients, { ruth: { email: RUTH, email_verified: true } })
    const service = await aServiceWithSignOn({ port, issuer: provider.issuer, accounts })
    try {
      const browser = aBrowser()
      const { providerUrl } = await browser.begin(service.baseUrl)
      const asAnother = new URL(providerUrl)
      asAnother.searchParams.set('client_id', 'another')
      const back = await aBrowser().signInAt(asAnother.href, 'ruth')
      const page = await browser.comeBack(back)
      expect([page.status, page.location]).to.deep.equal([403, null])
      expect((await browser.account(service.baseUrl)).visitor).to.equal(null)
    } finally {
      await service.stop()
      await provider.stop()
    }
  })
})
