/** The embedded service as Node-RED runs it: shared by port, started again by deploys, and clear about what is wrong. */
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { freePort } from '../support/network/free-port.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, embedded, flow, wait, webhookIn } from '../support/node-red/flow.ts'
import type { FlowNode, NodeRed } from '../support/node-red/node-red.ts'
import { anOrder } from '../support/service/order.ts'

describe('the embedded service', function () {
  this.timeout(40_000)
  let red: NodeRed
  let port: number

  before(async () => {
    red = await aNodeRed()
    port = await freePort()
  })
  after(() => red?.stop())
  const nodes = (more: Record<string, unknown> = {}) =>
    flow(embedded({ port: String(port), ...more }), ...createTask(), ...wait(), ...webhookIn())
  const health = () => fetch(`http://127.0.0.1:${port}/health-check`).then(({ status }) => status)

  it('marks its nodes as simulated, and calls the webhook node of the same Node-RED', async () => {
    await red.deploy(nodes())
    await red.statusOf('create', 'simulated signers')
    await red.statusOf('webhook', 'listening')
    expect(await health()).to.equal(200)
    red.inject('create', anOrder())
    const { taskId } = await red.next('create.0')
    expect(await red.next('webhook.0')).to.include({ taskId, status: 'Pending' })
  })

  it('keeps its tasks over deploys, and one subscription', async () => {
    const order = anOrder()
    red.inject('create', order)
    const { taskId } = await red.next('create.0')
    await red.deploy(nodes(), 'full')
    await red.statusOf('webhook', 'listening')
    red.inject('create', order)
    expect(await red.next('create.0')).to.include({ taskId, duplicate: true })
    red.inject('create', anOrder())
    const next = await red.next('create.0')
    await red.next('webhook.0', (message) => message.taskId === next.taskId)
    expect(red.waiting('webhook.0').filter((message) => message.taskId === next.taskId)).to.deep.equal([])
  })

  it('is one server for two configuration nodes of a port, and stops with the last', async () => {
    const second = { ...embedded({ port: String(port) }), id: 'second' }
    const [other] = createTask({ service: 'second' })
    const nodesOfTwo = [...nodes(), second, { ...other!, id: 'other', z: 'tab', x: 1, y: 1 } as FlowNode]
    await red.deploy(nodesOfTwo)
    await red.statusOf('other', 'simulated signers')
    await red.statusOf('create', 'simulated signers')
    await red.deploy([...nodes(), second], 'nodes')
    expect(await health()).to.equal(200)
    await red.deploy(flow(), 'full')
    expect(await health().catch(() => 'gone')).to.equal('gone')
  })

  it('is one server for one profile: a second configuration node of the port with another one is refused', async () => {
    const profile = JSON.stringify({ name: 'Acme', headerPrefix: 'X-Acme-' })
    const second = { ...embedded({ port: String(port), profile }), id: 'second' }
    const [other] = createTask({ service: 'second' })
    const nodesOfSecond = [second, { ...other!, id: 'other', z: 'tab', x: 1, y: 1 } as FlowNode]
    await red.deploy([...nodes(), ...nodesOfSecond])
    await Promise.any([
      Promise.all([red.statusOf('create', 'simulated signers'), red.statusOf('other', 'port in use')]),
      Promise.all([red.statusOf('create', 'port in use'), red.statusOf('other', 'simulated signers')]),
    ])
    expect(await health()).to.equal(200)
    await red.deploy(flow(...nodesOfSecond), 'full')
    await red.statusOf('other', 'simulated signers')
    await red.deploy(flow(), 'full')
  })

  it('says that its port is in use, and starts with the next message when it is free', async () => {
    const taken = createServer().listen(port, '127.0.0.1')
    await once(taken, 'listening')
    await red.deploy(nodes())
    await red.statusOf('create', 'port in use')
    expect(red.isRunning()).to.equal(true)
    taken.close()
    await once(taken, 'close')
    red.inject('create', anOrder())
    expect(await red.next('create.0')).to.include({ status: 'Received' })
  })

  it('says that its folder cannot be written', async () => {
    await red.deploy(nodes({ data: join(red.userDir, 'settings.js') }))
    await red.statusOf('create', 'failed')
    red.inject('create', anOrder())
    const { error } = await red.next('caught')
    expect(error?.message).to.match(/^The embedded service did not start: /)
    expect(red.isRunning()).to.equal(true)
  })

  it('keeps ids and secrets where only their owner can read them', () => {
    const folder = join(red.userDir, 'countersign')
    expect(statSync(folder).mode & 0o077).to.equal(0)
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.sqlite')))
      expect(statSync(join(folder, name)).mode & 0o077, name).to.equal(0)
  })
})
