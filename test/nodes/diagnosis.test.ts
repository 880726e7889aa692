/** What errors say about every way in which a call can fail: each is provoked for real. */
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Kind } from '../../nodes/shared/runtime/kinds.ts'
import type { Row as Tried } from '../../nodes/shared/trial/row.ts'
import { aGateway, type Gateway } from '../support/network/a-gateway.ts'
import { freePort } from '../support/network/free-port.ts'
import { tlsIdentity } from '../support/network/tls-identity.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, flow, host, read } from '../support/node-red/flow.ts'
import type { FlowNode, NodeRed } from '../support/node-red/node-red.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'
import { anOrder } from '../support/service/order.ts'

const PAGE = '<html><body>Welcome</body></html>'

describe('the diagnosis of', function () {
  this.timeout(40_000)
  let red: NodeRed
  let service: HostedService
  let secure: Gateway
  let outright: Gateway
  let late: Gateway
  let tls: FlowNode
  const servers: Server[] = []

  before(async () => {
    service = await hostedService()
    red = await aNodeRed()
    const { authority, server, expired, selfSigned } = await tlsIdentity()
    const ca = join(red.userDir, 'authority.pem')
    writeFileSync(ca, authority)
    tls = { id: 'tls', type: 'tls-config', ca, verifyservercert: true }
    secure = await aGateway(service.baseUrl, server)
    outright = await aGateway(service.baseUrl, selfSigned)
    late = await aGateway(service.baseUrl, expired)
  })
  after(async () => {
    for (const server of servers) server.close().closeAllConnections()
    await red?.stop()
    for (const gateway of [secure, outright, late]) await gateway?.stop()
    await service?.stop()
  })

  /** Returns the address of a server that answers every request alike, or never when there is no status. */
  async function answering(status?: number, body = '', headers: Record<string, string> = {}): Promise<string> {
    const server = createServer((_request, response) => {
      if (status !== undefined) response.writeHead(status, headers).end(body)
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const at = async (baseUrl: string | Promise<string>, more: Record<string, unknown> = {}) =>
    host(await baseUrl, { credentials: { apiKey: service.apiKey }, patience: '0', timeout: '30', ...more })
  const otherPort = (port: string, url: string) => `${port}//${new URL(url).host}`

  /** What the form of the service says about these settings. */
  async function trial({ credentials, ...properties }: FlowNode): Promise<[Tried, ...Tried[]]> {
    const answer = await fetch(red.adminUrl('countersign/services/service/test'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ properties }),
    })
    return (await answer.json()) as [Tried, ...Tried[]]
  }

  type Row = [what: string, connection: () => Promise<FlowNode>, told: Kind, status: number | undefined, words: RegExp]
  const rows: Row[] = [
    [
      'a certificate that nobody here vouches for',
      () => at(secure.baseUrl),
      { kind: 'tls', retryable: false },
      undefined,
      /certificate .* is not trusted: .* Choose a TLS configuration/,
    ],
    [
      'a certificate that the host has signed itself',
      () => at(outright.baseUrl),
      { kind: 'tls', retryable: false },
      undefined,
      /certificate .* is not trusted: it is self-signed.*DEPTH_ZERO_SELF_SIGNED_CERT/,
    ],
    [
      'a certificate that has expired',
      () => at(late.baseUrl, { tls: 'tls' }),
      { kind: 'tls', retryable: false },
      undefined,
      /certificate .* has expired. Ask its operator for a new one.*CERT_HAS_EXPIRED/,
    ],
    [
      'a certificate for another name',
      () => at(secure.baseUrl.replace('127.0.0.1', 'localhost'), { tls: 'tls' }),
      { kind: 'tls', retryable: false },
      undefined,
      /certificate .* is for another name/,
    ],
    [
      'https at a port of http',
      () => at(otherPort('https:', service.baseUrl)),
      { kind: 'tls', retryable: false },
      undefined,
      /no TLS is spoken at this address. Check the port/,
    ],
    [
      'an address where nobody listens',
      async () => at(`http://127.0.0.1:${await freePort()}`),
      { kind: 'unreachable', retryable: true },
      undefined,
      /nothing is listening at this address and port/,
    ],
    [
      'a name that nobody has',
      () => at('https://nobody.invalid'),
      { kind: 'unreachable', retryable: true },
      undefined,
      /the name of the host is not known/,
    ],
    [
      'a server that never answers',
      () => at(answering(), { timeout: '1' }),
      { kind: 'unreachable', retryable: true },
      undefined,
      /did not answer in time/,
    ],
    [
      'a web server without such a page',
      () => at(answering(404, PAGE, { 'content-type': 'text/html' })),
      { kind: 'unexpected', retryable: false },
      404,
      /this is not a signature host/,
    ],
    [
      'a web server with a page for everything',
      () => at(answering(200, PAGE, { 'content-type': 'text/html' })),
      { kind: 'unexpected', retryable: false },
      200,
      /this is not a signature host/,
    ],
    [
      'a host that fails',
      () => at(answering(500, PAGE)),
      { kind: 'unreachable', retryable: true },
      500,
      /the service failed. .*HTTP_500/,
    ],
    [
      'a host that is not available',
      () => at(answering(502, PAGE)),
      { kind: 'unreachable', retryable: true },
      502,
      /not available at the moment/,
    ],
    [
      'a host that takes no more calls',
      () => at(answering(429, '{}', { 'retry-after': '9' })),
      { kind: 'rateLimited', retryable: true },
      429,
      /refused with 429/,
    ],
    [
      'a key that the host does not know',
      () => at(service.baseUrl, { credentials: { apiKey: 'another' } }),
      { kind: 'unauthorized', retryable: false },
      403,
      /refused with 403/,
    ],
    [
      'a task that the host does not know',
      () => at(service.baseUrl),
      { kind: 'refused', retryable: false },
      404,
      /refused with 404/,
    ],
    [
      'a base URL that would send the key in clear text',
      () => at('http://sign.example.org'),
      { kind: 'config', retryable: false },
      undefined,
      /^Base URL \(baseUrl\): the base URL must be an https URL; http is for this machine only/,
    ],
    [
      'a host beyond this machine that may be called over http, and is not there',
      () => at('http://nobody.invalid', { httpHosts: 'other.example.org, nobody.invalid' }),
      { kind: 'unreachable', retryable: true },
      undefined,
      /the name of the host is not known/,
    ],
  ]
  for (const [what, connection, told, status, words] of rows)
    it(what, async () => {
      await red.deploy([tls, ...flow(await connection(), ...read())])
      red.inject('read', { taskId: 999_999 })
      const { error, statusCode } = await red.next('caught')
      expect(error?.cause).to.deep.equal(told)
      expect(statusCode).to.equal(status)
      expect(error?.message)
        .to.match(words)
        .and.not.match(/^\w*Error/)
      if (told.kind !== 'tls') return
      const [{ what: tried, ok, advice }, ...others] = await trial(await connection())
      expect({ tried, ok, others }).to.deep.equal({ tried: 'tls', ok: false, others: [] })
      expect(advice).to.match(new RegExp(words.source, 'i'))
    })

  it('a certificate that the TLS configuration vouches for: none', async () => {
    await red.deploy([tls, ...flow(await at(secure.baseUrl, { tls: 'tls' }), ...read())])
    const rows = await trial(await at(secure.baseUrl, { tls: 'tls' }))
    expect(rows.map(({ what, ok }) => [what, ok])).to.deep.include(['tls', true])
  })

  it('https at a port of http, at once also for a create: nothing was sent', async () => {
    // An hour to settle: an order that might have arrived would be reported after that.
    await red.deploy(flow(await at(otherPort('https:', service.baseUrl), { settle: '3600' }), ...createTask()))
    red.inject('create', anOrder())
    expect((await red.next('caught')).error?.cause).to.deep.equal({ kind: 'tls', retryable: false })
  })

  it('other content under an id that was sent before', async () => {
    await red.deploy(flow(await at(service.baseUrl), ...createTask()))
    const order = anOrder()
    red.inject('create', order)
    await red.next('create.0')
    red.inject('create', { ...order, effectiveDate: '2026-01-02' })
    expect((await red.next('caught')).error?.cause).to.deep.equal({ kind: 'held', retryable: false })
  })

  it('nothing, when the base URL ends with /api/v1', async () => {
    await red.deploy(flow(await at(`${service.baseUrl}/api/v1/`), ...createTask(), ...read()))
    red.inject('create', anOrder())
    const { taskId } = await red.next('create.0')
    red.inject('read', { taskId })
    expect(await red.next('read.0')).to.include({ taskId })
  })
})
