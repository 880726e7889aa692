/** A deploy while nodes are at work, and nodes that are disabled for a while: nothing is lost, and Node-RED never hangs. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { aGateway, type Gateway } from '../support/network/a-gateway.ts'
import { freePort } from '../support/network/free-port.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, embedded, flow, host, lookUp, signer, wait, webhookIn } from '../support/node-red/flow.ts'
import type { DeployType, FlowNode, NodeRed } from '../support/node-red/node-red.ts'
import { aCreatedTask } from '../support/service/a-created-task.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'
import { anOrder, SIGNER } from '../support/service/order.ts'

/** How far a task may have come before the order is sent again. */
const OPEN = ['Received', 'Processing', 'Pending']

describe('a deploy', function () {
  this.timeout(40_000)
  let red: NodeRed
  let service: HostedService
  let slow: Gateway

  before(async () => {
    service = await hostedService()
    slow = await aGateway(service.baseUrl)
    red = await aNodeRed()
    // The first document waits for a thread that loads its libraries.
    await red.deploy(flow(service.node(), ...createTask()))
    await aCreatedTask(red, service)
  })
  after(async () => {
    await red?.stop()
    await slow?.stop()
    await service?.stop()
  })

  it('lets what is under way come to its end, the journal included', async () => {
    const connection = service.node({ baseUrl: slow.baseUrl, settle: '10' })
    await red.deploy(flow(connection, ...createTask()))
    slow.pace.answersAfterMs = 1500
    const orders = Array.from({ length: 5 }, () => anOrder())
    for (const order of orders) red.inject('create', order)
    await red.statusOf('create', '5 in flight')
    const posts = () => slow.passed.filter(({ method }) => method === 'POST').length
    const asked = posts()
    await red.deploy(flow({ ...connection, name: 'changed' }, ...createTask({ name: 'changed' })), 'full')
    slow.pace.answersAfterMs = 0
    const sent = posts()
    expect(sent, 'each was sent before the service went').to.be.at.least(asked)
    for (const order of orders) red.inject('create', order)
    for (const _ of orders)
      expect((await red.next('create.0', ({ duplicate }) => duplicate === true)).status).to.be.oneOf(OPEN)
    expect(posts(), 'the journal knew all of them').to.equal(sent)
    for (const { externalDocId } of orders)
      expect(await service.client.listTasks({ query: { externalDocId } })).to.have.length(1)
    expect(red.waiting('caught')).to.deep.equal([])
  })

  it('shows how many calls are under way, until the last has ended', async () => {
    await red.deploy(flow(service.node({ baseUrl: slow.baseUrl }), ...lookUp()))
    await red.statusOf('look-up', 'connected')
    slow.pace.holdsAnswers = true
    red.inject('look-up', { userNPI: SIGNER.signs })
    await red.statusOf('look-up', '1 in flight')
    red.inject('look-up', { userNPI: SIGNER.idle })
    await red.statusOf('look-up', '2 in flight')
    await slow.answerNext()
    await red.statusOf('look-up', '1 in flight')
    await slow.answerNext()
    await red.statusOf('look-up', 'found')
    slow.pace.holdsAnswers = false
  })

  it('does not wait for a host that never answers', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    try {
      const { port } = silent.address() as AddressInfo
      const nowhere = host(`http://127.0.0.1:${port}`, { timeout: '60' })
      await red.deploy(flow(nowhere, ...lookUp(), ...signer()))
      red.inject('look-up', { userNPI: SIGNER.signs })
      red.inject('signer', { taskId: 1 })
      await red.statusOf('look-up', '1 in flight')
      await red.statusOf('signer', '1 in flight')
      await red.deploy(flow(service.node(), ...lookUp()))
      expect(red.log.join('')).to.not.contain('Close timed out')
      red.inject('look-up', { userNPI: SIGNER.signs })
      await red.next('look-up.0')
    } finally {
      silent.closeAllConnections()
      silent.close()
    }
  })

  for (const kind of ['nodes', 'full'] as DeployType[])
    it(`of kind ${kind} that disables nodes keeps what they wait for, and their subscription`, async () => {
      const events = () => webhookIn({ publicUrl: red.nodeUrl('countersign/events') })
      const nodes = (more: Record<string, unknown> = {}) =>
        flow(
          service.node(),
          ...createTask(),
          ...[...wait(), ...events()].map((node): FlowNode => (node.type === 'probe' ? node : { ...node, ...more })),
        )
      await red.deploy(nodes())
      await red.statusOf('webhook', 'listening')
      const { taskId } = await aCreatedTask(red, service)
      red.inject('wait', { taskId })
      await red.statusOf('wait', '1 waiting')
      const subscribed = (await service.client.listSubscriptions()).map(({ id }) => id)
      await red.deploy(nodes({ d: true }), kind)
      await service.signs(taskId)
      expect((await service.client.listSubscriptions()).map(({ id }) => id)).to.deep.equal(subscribed)
      expect(red.waiting('wait.0')).to.deep.equal([])
      await red.deploy(nodes(), kind)
      expect(await red.next('wait.0')).to.include({ taskId, status: 'Completed' })
      await red.statusOf('webhook', 'listening')
      expect((await service.client.listSubscriptions()).map(({ id }) => id)).to.deep.equal(subscribed)
      await red.deploy(flow(service.node(), ...createTask()), kind)
      expect(await service.client.listSubscriptions()).to.deep.equal([])
    })

  it('leaves the subscription of another Node-RED with the same flow alone', async () => {
    const elsewhere = {
      url: 'https://other.example.org/countersign/events',
      description: 'Node-RED webhook in webhook',
    }
    const lost = { url: red.nodeUrl('countersign/events'), description: 'Node-RED webhook in webhook' }
    const other = await service.client.createSubscription({ body: elsewhere })
    const orphan = await service.client.createSubscription({ body: lost })
    await red.deploy(flow(service.node(), ...webhookIn({ publicUrl: lost.url })))
    await red.statusOf('webhook', 'listening')
    const ids = (await service.client.listSubscriptions()).map(({ id }) => id)
    expect(ids).to.have.length(2).and.include(other.id).and.not.include(orphan.id)
  })

  it('takes up the waits by itself when the service can be reached again', async () => {
    const port = await freePort()
    await red.deploy(flow(embedded({ port: String(port) }), ...createTask(), ...wait({ progress: true }), ...signer()))
    red.inject('create', anOrder())
    const { taskId } = await red.next('create.0')
    red.inject('wait', { taskId })
    await red.next('wait.4', ({ status }) => status === 'Pending')
    const { userDir, port: uiPort } = red
    await red.kill()
    const taken = createServer().listen(port, '127.0.0.1')
    await once(taken, 'listening')
    red = await aNodeRed({ userDir, port: uiPort })
    await red.statusOf('wait', 'port in use')
    taken.close()
    await once(taken, 'close')
    await red.statusOf('wait', '1 waiting')
    red.inject('signer', { taskId })
    expect(await red.next('wait.0')).to.include({ taskId, status: 'Completed' })
  })
})
