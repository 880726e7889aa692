/** The webhook node in a real Node-RED: the bytes as they came, once, under any roots of Node-RED; and its subscription. */
import { randomBytes, randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { signWebhook } from '../../lib/webhook/signature.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/network/free-port.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { flow, host, probe, webhookIn } from '../support/node-red/flow.ts'
import { type FlowNode, type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'

const secret = randomBytes(32).toString('base64')
const older = randomBytes(32).toString('base64')

let lastTask = 1000
const nextTask = () => (lastTask += 1)

/** A delivery as the service sends it; what a test breaks is given in `broken`. */
function delivery(broken: { body?: string; timestamp?: number; secret?: string; event?: object } = {}) {
  const event = {
    eventId: randomUUID(),
    eventType: 'document.status_changed',
    taskId: nextTask(),
    documentId: null,
    status: 'Pending',
    statusReason: null,
    occurredAtUtc: new Date().toISOString(),
    ...broken.event,
  }
  const signed = JSON.stringify(event)
  const timestamp = broken.timestamp ?? Math.floor(Date.now() / 1000)
  const headers = {
    'content-type': 'application/json',
    'x-service-signature': signWebhook({ secret: broken.secret ?? secret, body: signed, timestamp }),
    'x-service-timestamp': String(timestamp),
    'x-service-event-id': event.eventId,
    'x-service-event-type': event.eventType,
  }
  return { event, headers, body: broken.body ?? signed }
}

describe('the webhook node', function () {
  this.timeout(40_000)

  const byHand = (more: Record<string, unknown> = {}) =>
    webhookIn({ subscribe: false, readsTask: false, credentials: { secrets: `${secret}\n${older}` }, ...more })
  const post = (red: NodeRed, { headers, body }: { headers: Record<string, string>; body: string }) =>
    fetch(red.nodeUrl('countersign/events'), { method: 'POST', headers, body })

  for (const { start = startNodeRed, ...roots } of [
    { adminRoot: '/', nodeRoot: '/', start: () => aNodeRed() },
    { adminRoot: '/admin', nodeRoot: '/' },
    { adminRoot: '/', nodeRoot: '/api' },
  ]) {
    describe(`with admin root ${roots.adminRoot} and node root ${roots.nodeRoot}`, () => {
      let red: NodeRed
      before(async () => {
        red = await start(roots)
        await red.deploy(flow(host('https://signature.example.org'), ...byHand()))
        await red.statusOf('webhook', 'listening')
      })
      after(() => red?.stop())
      const status = async (request: { headers: Record<string, string>; body: string }) =>
        (await post(red, request)).status

      it('hands a verified event over, once', async () => {
        const request = delivery({ event: { status: 'Completed', taskId: 2001 } })
        expect(await status(request)).to.equal(200)
        const message = await red.next('webhook.0')
        expect(message).to.include({ topic: 'Completed', taskId: 2001, eventId: request.event.eventId })
        expect(message.payload).to.deep.equal(request.event)
        expect(await status(request)).to.equal(200)
        expect(await status(delivery({ event: { taskId: 2009 } }))).to.equal(200)
        expect(await red.next('webhook.0'), 'the next after it').to.include({ taskId: 2009 })
      })

      it('refuses the same JSON in other bytes, altered JSON, and what is not JSON', async () => {
        const request = delivery()
        const { event, body } = request
        expect(await status({ ...request, body: JSON.stringify(event, null, 1) })).to.equal(400)
        expect(await status({ ...request, body: body.replace('Pending', 'Rejected') })).to.equal(400)
        expect(await status({ ...request, body: `${body} ` })).to.equal(400)
        expect(await status({ ...request, body: '{"half":' })).to.equal(400)
        expect(await status(request)).to.equal(200)
        await red.next('webhook.0')
        expect(red.waiting('webhook.0')).to.deep.equal([])
      })

      it('refuses old and future times, another secret, and missing headers', async () => {
        const now = Math.floor(Date.now() / 1000)
        for (const timestamp of [now - 400, now + 400]) expect(await status(delivery({ timestamp }))).to.equal(400)
        expect(await status(delivery({ secret: randomBytes(32).toString('base64') }))).to.equal(400)
        for (const name of ['x-service-signature', 'x-service-timestamp', 'x-service-event-id']) {
          const { headers, body } = delivery()
          const less = Object.fromEntries(Object.entries(headers).filter(([header]) => header !== name))
          expect(await status({ headers: less, body }), name).to.equal(400)
        }
        expect(red.waiting('webhook.0')).to.deep.equal([])
      })

      it('takes the older secret while both are entered', async () => {
        expect(await status(delivery({ secret: older, event: { taskId: 2002 } }))).to.equal(200)
        expect(await red.next('webhook.0')).to.include({ taskId: 2002 })
      })

      it('refuses a body that no event has, and leaves other paths alone', async () => {
        expect(await status({ ...delivery(), body: 'x'.repeat(100_000) })).to.equal(413)
        const other = await fetch(red.nodeUrl('countersign/other'), { method: 'POST' })
        expect(other.status).to.equal(404)
        const read = await fetch(red.nodeUrl('countersign/events'))
        expect(read.status).to.equal(404)
      })

      it('shows which path belongs to whom, and hands it on', async () => {
        const second = { ...byHand()[0]!, id: 'second', wires: [['second.0']] } as FlowNode
        const nodes = (...webhooks: FlowNode[]) =>
          flow(host('https://signature.example.org'), ...webhooks, probe('webhook.0'), probe('second.0'))
        await red.deploy(nodes(byHand()[0]!, second))
        await red.statusOf('second', 'path in use')
        await red.deploy(nodes(second), 'nodes')
        await red.statusOf('second', 'listening')
        expect(await status(delivery())).to.equal(200)
        await red.next('second.0')
        await red.deploy(nodes(), 'nodes')
        expect(await status(delivery())).to.equal(404)
        await red.deploy(nodes(byHand()[0]!), 'nodes')
        await red.statusOf('webhook', 'listening')
      })

      it('hands an event over without the document id when the host cannot be asked', async () => {
        await red.deploy(flow(host(`http://127.0.0.1:${await freePort()}`), ...byHand({ readsTask: true })))
        await red.statusOf('webhook', 'listening')
        const request = delivery()
        expect(await status(request)).to.equal(200)
        expect(await red.next('webhook.0')).to.include({ taskId: request.event.taskId })
        expect(red.log.join('')).to.contain('ECONNREFUSED')
      })

      it('outlives an "http in" of the same path that comes and goes', async () => {
        const nodes = (...more: FlowNode[]) => flow(host('https://signature.example.org'), ...byHand(), ...more)
        const httpIn = { id: 'http', type: 'http in', url: '/countersign/events', method: 'post', wires: [] }
        await red.deploy(nodes(httpIn as FlowNode))
        await red.statusOf('webhook', 'listening')
        await red.deploy(nodes(), 'nodes')
        await red.statusOf('webhook', 'listening')
        expect(await status(delivery())).to.equal(200)
        await red.next('webhook.0')
      })
    })
  }

  it('verifies the bytes as they came where Node-RED has no editor', async () => {
    let red = await aNodeRed()
    try {
      await red.deploy(flow(host('https://signature.example.org'), ...byHand()))
      await red.stop({ keep: true })
      const { userDir, port } = red
      red = await startNodeRed({ userDir, port, adminRoot: false })
      await red.statusOf('webhook', 'listening')
      expect((await fetch(red.nodeUrl('flows'))).status).to.equal(404)
      const request = delivery({ event: { taskId: 4001 } })
      expect((await post(red, { ...request, body: JSON.stringify(request.event, null, 1) })).status).to.equal(400)
      expect((await post(red, request)).status).to.equal(200)
      expect((await red.next('webhook.0')).payload).to.deep.equal(request.event)
    } finally {
      await red.stop()
    }
  })

  it('remembers what it handed over when the runtime was killed', async () => {
    let red = await aNodeRed()
    try {
      await red.deploy(flow(host('https://signature.example.org'), ...byHand()))
      await red.statusOf('webhook', 'listening')
      const request = delivery({ event: { taskId: 3001 } })
      await post(red, request)
      await red.next('webhook.0')
      const { userDir, port } = red
      await red.kill()
      red = await aNodeRed({ userDir, port })
      await red.statusOf('webhook', 'listening')
      expect((await post(red, request)).status).to.equal(200)
      expect((await post(red, delivery({ event: { taskId: 3002 } }))).status).to.equal(200)
      expect(await red.next('webhook.0'), 'the next after it').to.include({ taskId: 3002 })
      expect(red.log.join('')).to.not.contain(secret)
    } finally {
      await red.stop()
    }
  })

  it('accepts times within its window', async () => {
    const red = await aNodeRed()
    try {
      const ago = (seconds: number) => delivery({ timestamp: Math.floor(Date.now() / 1000) - seconds })
      for (const [tolerance, seconds, status] of [
        ['60', 100, 400],
        ['600', 400, 200],
      ] as const) {
        await red.deploy(flow(host('https://signature.example.org'), ...byHand({ tolerance })))
        await red.statusOf('webhook', 'listening')
        expect((await post(red, ago(seconds))).status, `${seconds} s ago, within ${tolerance} s`).to.equal(status)
      }
    } finally {
      await red.stop()
    }
  })

  it('is red, and says what to do, when nothing can be received', async () => {
    const red = await aNodeRed()
    try {
      const nowhere = host('https://signature.example.org')
      const troubles = [
        [flow(nowhere, ...byHand({ credentials: {} })), 'no secret', 'enter the secret'],
        [flow(nowhere, ...byHand({ path: '/' })), 'no path', 'enter the path'],
        [flow(...byHand()), 'no service', 'was deleted'],
        [flow(...byHand({ service: '' })), 'no service', 'No service is chosen'],
      ] as const
      for (const [nodes, text, words] of troubles) {
        await red.deploy([])
        await red.deploy(nodes)
        await red.statusOf('webhook', text)
        expect((await post(red, delivery())).status).to.equal(404)
        expect(red.log.join('')).to.contain(words)
      }
    } finally {
      await red.stop()
    }
  })

  it('warns when its path is behind a password', async () => {
    const red = await startNodeRed({ settings: { httpNodeAuth: { user: 'user', pass: '$2b$08$no' } } })
    try {
      await red.deploy(flow(host('https://signature.example.org'), ...byHand()))
      await red.statusOf('webhook', 'listening')
      await eventually(() => expect(red.log.join('')).to.contain('httpNodeAuth is set'))
    } finally {
      await red.stop()
    }
  })
})
