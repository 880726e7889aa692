/** How nodes show whether their service can be called, and what a trial of settings finds between a host and this machine. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { Row } from '../../nodes/shared/trial/row.ts'
import { eventually } from '../support/eventually.ts'
import { aGateway, type Gateway } from '../support/network/a-gateway.ts'
import { freePort } from '../support/network/free-port.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { flow, host, read, reconcile, wait, webhookIn } from '../support/node-red/flow.ts'
import type { FlowNode, NodeRed } from '../support/node-red/node-red.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'

describe('the connection of a service', function () {
  this.timeout(40_000)
  let red: NodeRed
  let service: HostedService
  let gateway: Gateway
  const servers: Server[] = []

  before(async () => {
    service = await hostedService()
    gateway = await aGateway(service.baseUrl)
    red = await aNodeRed()
  })
  after(async () => {
    for (const server of servers) server.close().closeAllConnections()
    await red?.stop()
    await gateway?.stop()
    await service?.stop()
  })

  const EVENTS = 'countersign/events'
  const nodesOf = (connection: FlowNode, events: Record<string, unknown> = {}) =>
    flow(
      connection,
      ...read(),
      ...wait(),
      ...reconcile(),
      ...webhookIn({ path: EVENTS, publicUrl: red.nodeUrl(EVENTS), ...events }),
    )
  const allShow = (text: string) =>
    Promise.all(['read', 'wait', 'reconcile', 'webhook'].map((id) => red.statusOf(id, text)))

  describe('is shown by every kind of node before the first message:', () => {
    it('unreachable, with a warning in the log, and connected as soon as the host is back', async () => {
      gateway.pace.isAway = true
      await red.deploy(nodesOf(service.node({ baseUrl: gateway.baseUrl })))
      await allShow('unreachable')
      await eventually(() =>
        expect(red.log.join('')).to.match(/\[countersign-service:service] checkHealth: .*ECONNRESET/),
      )
      gateway.pace.isAway = false
      await Promise.all(['read', 'wait', 'reconcile'].map((id) => red.statusOf(id, 'connected')))
      await red.statusOf('webhook', 'listening')
    })

    it('key refused, with a warning that does not hold the key', async () => {
      await red.deploy(nodesOf(service.node({ credentials: { apiKey: 'another key' } })))
      await allShow('key refused')
      const log = () => red.log.join('')
      await eventually(() => expect(log()).to.match(/\[countersign-service:service] listDocumentTypes: .* 403/))
      expect(log()).to.not.contain('another key')
    })

    it('also where a webhook node has the secrets of its events, unless it calls nobody', async () => {
      const refused = service.node({ credentials: { apiKey: 'another key' } })
      const byHand = { subscribe: false, credentials: { secrets: Buffer.alloc(32, 1).toString('base64') } }
      await red.deploy(nodesOf(refused, byHand))
      await red.statusOf('webhook', 'key refused')
      await red.deploy(nodesOf(refused, { ...byHand, readsTask: false }))
      await red.statusOf('read', 'key refused')
      await red.statusOf('webhook', 'listening')
    })
  })

  describe('is tried', () => {
    const listening = async (server: Server): Promise<string> => {
      servers.push(server)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    }
    const trial = async (typed: FlowNode): Promise<Row[]> => {
      const response = await fetch(red.adminUrl('countersign/services/service/test'), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ properties: typed, apiKey: service.apiKey }),
      })
      return (await response.json()) as Row[]
    }
    const found = async (what: Row['what'], typed: FlowNode) => (await trial(typed)).find((row) => row.what === what)

    /** Answers as a host does whose clock differs by this many seconds. */
    const withClock = (seconds: number) =>
      listening(
        createServer(({ url = '' }, response) => {
          const date = new Date(Date.now() + seconds * 1000).toUTCString()
          const body = url.includes('health') ? { status: 'ok' } : []
          response.writeHead(200, { date, 'content-type': 'application/json' }).end(JSON.stringify(body))
        }),
      )

    for (const [seconds, ok, words] of [
      [0, true, /^No difference\.$/],
      [120, true, /^The clock of the host is 1(19|20) s ahead\.$/],
      [
        900,
        false,
        /^The clock of the host is (899|900) s ahead. Callbacks are refused beyond 300 s\. Let both machines/,
      ],
      [-900, false, /^The clock of the host is (899|900) s behind. Callbacks are refused beyond 300 s\./],
    ] as const)
      it(`for a clock that differs by ${seconds} s`, async () => {
        const row = await found('clock', host(await withClock(seconds)))
        expect(row?.ok).to.equal(ok)
        expect(row?.advice).to.match(words)
      })

    const answering = async (status: number) =>
      `${await listening(createServer((_, response) => response.writeHead(status, { location: '/' }).end('{}')))}/events`
    for (const [what, publicUrl, ok, words] of [
      ['comes back here', async () => red.nodeUrl(EVENTS), true, /a post to the public URL arrives here\.$/],
      ['is refused', () => answering(401), false, /\(status 401\)\. A proxy or httpNodeAuth asks for a password/],
      ['is redirected', () => answering(302), false, /\(status 302\)\. It redirects, and callbacks follow no redirect/],
      ['is answered by another program', () => answering(200), false, /\(status 200\)\. Check its host and path/],
      [
        'reaches nobody',
        async () => `http://127.0.0.1:${await freePort()}`,
        false,
        /cannot be reached from here \(ECONNREFUSED\)/,
      ],
    ] as const)
      it(`by a post through the public URL of a webhook node, which ${what}`, async () => {
        const connection = service.node()
        await red.deploy(nodesOf(connection, { publicUrl: await publicUrl() }))
        const row = await found('callback', connection)
        expect(row?.ok).to.equal(ok)
        expect(row?.advice)
          .to.match(/^\/countersign\/events: /)
          .and.match(words)
        expect(red.waiting('webhook.0')).to.deep.equal([])
      })
  })
})
