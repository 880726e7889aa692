/** Everything that the service calls goes through a real proxy, by CONNECT, with TLS to the far end; and no private address is called. */
import { createServer as createTlsServer } from 'node:https'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect } from 'chai'
import { systemClock } from '../../lib/clock.ts'
import { targetPolicy } from '../../server/domain/delivery/target.ts'
import { type ProxyPlace, proxyFor, proxyOf } from '../../server/domain/proxy-place.ts'
import { createProvider } from '../../server/people/sign-on/provider.ts'
import { s3Bucket } from '../../server/store/bucket/s3.ts'
import { createPoster } from '../../server/workers/delivery/post.ts'
import type { Resolve } from '../../server/workers/delivery/resolve.ts'
import type { Sending } from '../../server/workers/delivery/signed-headers.ts'
import { createMailer } from '../../server/workers/notices/mailer.ts'
import { askAuthority } from '../../server/workers/timestamps/ask-authority.ts'
import { eventually } from '../support/eventually.ts'
import { aProxy, type ForwardProxy } from '../support/network/a-proxy.ts'
import { listen, portOf } from '../support/network/listening.ts'
import { aMailServer, PASSWORD } from '../support/network/mail-server.ts'
import { SERVER_NAME, type TlsIdentity, tlsIdentity } from '../support/network/tls-identity.ts'
import { aService } from '../support/service/a-service.ts'
import { aBucket } from '../support/store/a-bucket.ts'

const USER = { username: 'clinic', password: 'p@ss:word/of%the proxy' }
const PUBLIC = '93.184.215.14'

describe('calls through a proxy', function () {
  this.timeout(20_000)
  let proxy: ForwardProxy
  let place: ProxyPlace
  let identity: TlsIdentity
  let authority: string
  let trusted: string[]
  /** What the far end was asked: method, path, body. */
  const asked: string[] = []
  let farEnd: ReturnType<typeof createTlsServer>
  let status = 200
  let answer: (path: string) => Buffer | string = () => ''

  before(async () => {
    const made = await tlsIdentity()
    identity = made.server
    authority = made.authority
    trusted = getCACertificates('default')
    setDefaultCACertificates([...trusted, authority])
    farEnd = createTlsServer(identity, (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        asked.push(`${request.method} ${request.url} ${Buffer.concat(chunks)}`)
        response.writeHead(status, { 'content-type': 'application/json' }).end(answer(request.url!))
      })
    })
    await listen(farEnd)
  })
  after(() => {
    setDefaultCACertificates(trusted)
    farEnd.closeAllConnections()
    farEnd.close()
  })
  beforeEach(async () => {
    asked.length = 0
    status = 200
    answer = () => ''
    // Whatever it is asked for is the far end; the name that is in the certificate is known to it alone.
    proxy = await aProxy(USER, () => '127.0.0.1')
    place = settingsOf({})
  })
  afterEach(() => proxy.stop())

  const settingsOf = (change: {
    proxyPassword?: string
    proxyBypass?: string[]
    proxyResolves?: boolean
  }): ProxyPlace =>
    proxyOf({
      proxy: proxy.url.replace('//', `//${USER.username}@`),
      proxyPassword: USER.password,
      proxyBypass: [],
      proxyResolves: false,
      ...change,
    })!

  const urlOf = (path: string) => `https://${SERVER_NAME}:${portOf(farEnd)}${path}`

  /** Makes attempts of one delivery, and returns what came of each. */
  async function posted(url: string, resolve: Resolve, { targets = [] as string[], way = place, times = 1 } = {}) {
    const poster = createPoster({ clock: systemClock, targets: targetPolicy(false, targets), resolve, proxy: way })
    const sending: Sending = {
      organizationId: 1,
      url,
      body: Buffer.from('{"a":1}'),
      secrets: [Buffer.alloc(32, 7)],
      eventId: 'e',
      attemptNumber: 1,
    }
    const outcomes: (string | undefined)[] = []
    for (let n = 0; n < times; n++) outcomes.push((await poster.post(sending, new AbortController().signal))?.outcome)
    poster.close()
    return outcomes
  }

  const found =
    (address: string): Resolve =>
    async () => [{ address, family: address.includes(':') ? 6 : 4 }]

  describe('of callbacks', () => {
    it('ask for the address that was checked, in one tunnel for several callbacks, and the proxy reads nothing', async () => {
      expect(await posted(urlOf('/in'), found(PUBLIC), { times: 3 })).to.deep.equal(Array(3).fill('delivered'))
      expect(proxy.asked).to.deep.equal([`CONNECT ${PUBLIC}:${portOf(farEnd)}`])
      expect(asked).to.deep.equal(Array(3).fill('POST /in {"a":1}'))
      expect(proxy.read()).not.to.include('{"a":1}')
    })

    for (const address of ['10.0.0.1', '127.0.0.1', '169.254.169.254', '::1', '::ffff:10.0.0.1'])
      it(`do not reach ${address}, whatever the name is`, async () => {
        expect(await posted(urlOf('/in'), found(address))).to.deep.equal(['blocked_target'])
        expect([proxy.asked, asked]).to.deep.equal([[], []])
      })

    it('do not reach a name that has one private address among others', async () => {
      const both: Resolve = async () => [
        { address: PUBLIC, family: 4 },
        { address: '192.168.0.1', family: 4 },
      ]
      expect(await posted(urlOf('/in'), both)).to.deep.equal(['blocked_target'])
      expect(proxy.asked).to.deep.equal([])
    })

    it('resolve each name anew, and reach no private address that it then has', async () => {
      const addresses = [PUBLIC, '10.0.0.1']
      const rebinding: Resolve = async () => [{ address: addresses.shift()!, family: 4 }]
      status = 500
      const fresh = () => posted(urlOf('/in'), rebinding)
      expect([...(await fresh()), ...(await fresh())]).to.deep.equal(['http', 'blocked_target'])
      expect(proxy.asked).to.deep.equal([`CONNECT ${PUBLIC}:${portOf(farEnd)}`])
    })

    it('are refused where the proxy resolves names, unless the operator has named the receiver', async () => {
      const never: Resolve = () => expect.fail('a name was resolved')
      const way = settingsOf({ proxyResolves: true })
      expect(await posted(urlOf('/in'), never, { way })).to.deep.equal(['blocked_target'])
      expect(await posted(urlOf('/in'), never, { way, targets: ['other.test', '127.0.0.1'] })).to.deep.equal([
        'blocked_target',
      ])
      expect(proxy.asked).to.deep.equal([])
      expect(await posted(urlOf('/in'), never, { way, targets: ['*.countersign.test'] })).to.deep.equal(['delivered'])
      expect(proxy.asked).to.deep.equal([`CONNECT ${SERVER_NAME}:${portOf(farEnd)}`])
    })

    it('are checked against the name, not the address, and fail at a receiver with another certificate', async () => {
      const url = `https://another.countersign.test:${portOf(farEnd)}/in`
      expect(await posted(url, found(PUBLIC))).to.deep.equal(['tls'])
      expect(asked).to.deep.equal([])
    })

    it('fail as a connection does when the proxy refuses, or does not answer', async () => {
      expect(await posted(urlOf('/in'), found(PUBLIC), { way: settingsOf({ proxyPassword: 'wrong' }) })).to.deep.equal([
        'connection',
      ])
      await proxy.stop()
      expect(await posted(urlOf('/in'), found(PUBLIC))).to.deep.equal(['connection'])
    })

    it('go directly to a receiver that is named so, with its addresses checked as ever', async () => {
      const way = settingsOf({ proxyBypass: ['*.countersign.test'] })
      const direct = { way, targets: ['127.0.0.1'] }
      expect(await posted(urlOf('/in'), found('127.0.0.1'), direct)).to.deep.equal(['delivered'])
      expect(await posted(urlOf('/in'), found('10.0.0.1'), direct)).to.deep.equal(['blocked_target'])
      expect(proxy.asked).to.deep.equal([])
    })
  })

  it('of the object storage put, read and remove', async () => {
    const bucket = await aBucket(identity)
    const endpoint = bucket.place.endpoint.replace('127.0.0.1', SERVER_NAME)
    const through = s3Bucket({ ...bucket.place, endpoint, ca: authority, proxy: place })
    await through.put('a', Buffer.from('content of a document'))
    expect(String(await through.get('a', 100))).to.equal('content of a document')
    await through.remove('a')
    expect(await through.has('a')).to.equal(false)
    expect(new Set(proxy.asked)).to.deep.equal(new Set([`CONNECT ${new URL(endpoint).host}`]))
    expect(proxy.read()).not.to.include('content of a document')
    const refused = s3Bucket({ ...bucket.place, endpoint, ca: authority, proxy: settingsOf({ proxyPassword: 'no' }) })
    const error = await refused.has('a').then(
      () => expect.fail('it was let in'),
      ({ code }: { code: string }) => code,
    )
    expect(error).to.equal('EPROXY_407')
    for (const one of [through, refused]) one.close()
    await bucket.stop()
  })

  it('of the mail server encrypt, and send', async () => {
    const server = await aMailServer()
    const url = server.url.replace('127.0.0.1', SERVER_NAME)
    const mailer = createMailer({
      url,
      password: PASSWORD,
      from: 'notices@sign.example.org',
      tls: 'required',
      ca: server.authority,
      proxy: place,
    })
    await mailer.send({ to: 'ruth@practice.example', subject: 'Hello', text: 'A text to sign', offUrl: null })
    mailer.close()
    expect(server.taken.map(({ isSecure }) => isSecure)).to.deep.equal([true])
    expect(proxy.asked).to.deep.equal([`CONNECT ${new URL(url).host}`])
    expect(proxy.read()).not.to.include('A text to sign')
    await server.stop()
  })

  it('of the timestamp authority bring its answer', async () => {
    answer = () => 'a timestamp'
    const of = (way: ProxyPlace) =>
      askAuthority(Buffer.from('a query'), {
        url: new URL(urlOf('/tsa')),
        password: undefined,
        header: undefined,
        timeoutMs: 10_000,
        ca: authority,
        lookup: () => expect.fail('a name was resolved'),
        proxy: way,
      })
    expect(await of(place)).to.deep.equal({ answer: Buffer.from('a timestamp') })
    expect(await of(settingsOf({ proxyPassword: 'no' }))).to.deep.equal({ problem: 'away' })
    expect(asked).to.deep.equal(['POST /tsa a query'])
    expect(proxy.asked).to.include(`CONNECT ${SERVER_NAME}:${portOf(farEnd)}`)
  })

  it('of the provider of single sign-on bring what it says of itself', async () => {
    const issuer = urlOf('')
    const said = { issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` }
    answer = () => JSON.stringify({ ...said, end_session_endpoint: `${issuer}/end` })
    const providerBy = (way: ProxyPlace) =>
      createProvider(
        { issuer, clientId: 'a', clientSecret: 'b', scopes: 'openid', redirectUri: 'https://a.example', proxy: way },
        systemClock,
      )
    const provider = providerBy(place)
    await provider.discover()
    expect(provider.endUrl()).to.match(new RegExp(`^${issuer}/end`))
    expect(asked).to.deep.equal(['GET /.well-known/openid-configuration '])
    expect(proxy.asked).to.deep.equal([`CONNECT ${SERVER_NAME}:${portOf(farEnd)}`])
    const refused = await providerBy(settingsOf({ proxyPassword: 'no' }))
      .discover()
      .catch((error: unknown) => error)
    expect(refused).to.include({ fault: 'away', code: 'EPROXY_407' })
  })

  it('of a service are those that its settings name', async () => {
    const bucket = await aBucket(identity)
    const issuer = urlOf('')
    answer = () =>
      JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` })
    const documentsEndpoint = bucket.settings.documentsEndpoint.replace('127.0.0.1', SERVER_NAME)
    const service = await aService({
      ...bucket.settings,
      documentsEndpoint,
      documentsCa: authority,
      oidcIssuer: issuer,
      oidcClientId: 'a',
      oidcClientSecret: 'b',
      publicUrl: 'https://sign.example.org',
      proxy: proxy.url.replace('//', `//${USER.username}@`),
      proxyPassword: USER.password,
    })
    await eventually(() => expect(asked).to.include('GET /.well-known/openid-configuration '))
    expect(new Set(proxy.asked)).to.deep.equal(
      new Set([`CONNECT ${new URL(documentsEndpoint).host}`, `CONNECT ${new URL(issuer).host}`]),
    )
    await service.stop()
    await bucket.stop()
  })

  it('are never those to this machine', () => {
    for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])
      expect(proxyFor(host, place), host).to.equal(undefined)
    for (const host of ['localhost.example', '10.0.0.1', SERVER_NAME]) expect(proxyFor(host, place)).to.equal(place)
  })
})
