/** What the journal keeps for another address, another key or a node that is gone: it is counted, shown, and lost only on purpose. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { namespacesIn } from '../../lib/journal/namespaces-in.ts'
import type { OrphanList, OrphanRow } from '../../nodes/shared/orphans/act.ts'
import { partOf } from '../../nodes/shared/orphans/journal-orphans.ts'
import { eventually } from '../support/eventually.ts'
import { aGateway, type Gateway } from '../support/network/a-gateway.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, flow, held, host, reconcile, wait, webhookIn } from '../support/node-red/flow.ts'
import type { FlowNode, NodeRed } from '../support/node-red/node-red.ts'
import { aService, type TestService } from '../support/service/a-service.ts'
import { anOrder } from '../support/service/order.ts'

const PATIENT = /Turner|Alma|Alder|1001 Main|given|family/i

describe('what is kept for another address, key or node', function () {
  this.timeout(90_000)
  let red: NodeRed
  let service: TestService
  let renamed: Gateway
  let failing: Server
  let failingUrl: string

  before(async () => {
    service = await aService()
    renamed = await aGateway(service.baseUrl)
    failing = createServer((request, response) => {
      request.resume()
      const isPost = request.method === 'POST'
      response.writeHead(isPost ? 500 : 200, { 'content-type': 'application/json' }).end(isPost ? '{}' : '[]')
    })
    await new Promise<void>((resolve) => failing.listen(0, '127.0.0.1', resolve))
    failingUrl = `http://127.0.0.1:${(failing.address() as AddressInfo).port}`
    red = await aNodeRed()
  })
  after(async () => {
    await red?.stop()
    failing?.close().closeAllConnections()
    await renamed?.stop()
    await service?.stop()
  })

  const at = (baseUrl: string, apiKey = service.key, settle = '1') =>
    host(baseUrl, { credentials: { apiKey }, timeout: '30', settle })
  const nodes = (config: FlowNode, ...more: FlowNode[]) => flow(config, ...createTask(), ...wait(), ...more)
  const url = () => red.adminUrl('countersign/services/service/orphans')
  const rows = async () => ((await (await fetch(url())).json()) as OrphanList).rows
  async function decide(row: OrphanRow | undefined, action: string, more: object = {}) {
    const answer = await fetch(url(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: row?.id, action, ...more }),
    })
    return { status: answer.status, ...((await answer.json()) as { name?: string; error?: string; message?: string }) }
  }
  const tasksOf = (externalDocId: unknown, client = service.client) =>
    client.listTasks({ query: { externalDocId: String(externalDocId) } })
  const logged = (words: RegExp) => eventually(() => expect(red.log.join('')).to.match(words))
  async function aTask() {
    const order = anOrder()
    red.inject('create', order)
    const created = await red.next('create.0', ({ externalDocId }) => externalDocId === order.externalDocId)
    await service.reaches(created.taskId as number, 'Pending')
    return created
  }

  it('an order accepted under a wrong address: the failing host is named, then the order is counted and sent once', async () => {
    await red.deploy(nodes(at(failingUrl, service.key, '120')))
    const order = anOrder()
    red.inject('create', order)
    await red.statusOf('create', 'host answered 500, retrying')
    await red.deploy(nodes(at(service.baseUrl)))
    await red.statusOf('create', `1 order belongs to ${failingUrl}`)
    await logged(new RegExp(`Kept for ${failingUrl}, and not processed here: 1 order`))
    expect(await tasksOf(order.externalDocId)).to.deep.equal([])
    const [row, ...others] = await rows()
    expect(others).to.deep.equal([])
    expect(row).to.include({
      kind: 'order',
      reason: 'address',
      address: failingUrl,
      externalDocId: order.externalDocId,
    })
    expect(await decide(row, 'send')).to.include({ status: 200, name: 'create' })
    expect(await red.next('create.0')).to.include({ externalDocId: order.externalDocId, duplicate: false })
    expect(await tasksOf(order.externalDocId)).to.have.length(1)
    expect(await rows()).to.deep.equal([])
    expect(await decide(row, 'send')).to.include({ status: 409, error: 'NOT_KEPT' })
    red.inject('create', order)
    await red.next('create.0', ({ duplicate }) => duplicate === true)
    expect(await tasksOf(order.externalDocId)).to.have.length(1)
    expect(red.log.join('')).to.not.match(PATIENT)
  })

  it('a wait under another name of the same host is adopted, and its message comes with what it carried', async () => {
    await red.deploy(nodes(at(service.baseUrl)))
    const { taskId, externalDocId } = await aTask()
    red.inject('wait', { taskId, externalDocId, ward: 'Ward 3' })
    await red.statusOf('wait', '1 waiting')
    await red.deploy(nodes(at(renamed.baseUrl)))
    await red.statusOf('wait', `1 wait belongs to ${service.baseUrl}`)
    const [row] = await rows()
    expect(row).to.include({ kind: 'wait', taskId, reason: 'address', externalDocId })
    expect(await decide(row, 'adopt')).to.include({ status: 200 })
    await red.statusOf('wait', '1 waiting')
    await service.signs(taskId as number)
    expect(await red.next('wait.0')).to.include({ taskId, status: 'Completed', ward: 'Ward 3' })
    expect((await rows()).filter(({ kind }) => kind === 'wait')).to.deep.equal([])
  })

  it('a wait is not adopted for the same number at another service, nor unproved without a person who is sure', async () => {
    const other = await aService()
    try {
      await red.deploy(nodes(at(service.baseUrl)))
      const { taskId, externalDocId } = await aTask()
      const { taskId: bareId } = await aTask()
      red.inject('wait', { taskId, externalDocId })
      red.inject('wait', { taskId: bareId })
      await red.statusOf('wait', '2 waiting')
      await red.deploy(nodes(at(other.baseUrl, other.key)))
      for (;;) if (Number((await createAt('create')).taskId) >= Number(bareId)) break
      const found = await rows()
      const rowOf = (id: unknown) => found.find((row) => row.kind === 'wait' && row.taskId === id)
      expect(await decide(rowOf(taskId), 'adopt')).to.include({ status: 409, error: 'OTHER_DOCUMENT' })
      const unproved = await decide(rowOf(bareId), 'adopt')
      expect(unproved).to.include({ status: 409, error: 'UNPROVED' })
      expect(await decide(rowOf(bareId), 'adopt', { isSure: true })).to.include({ status: 200 })
      expect(await decide(rowOf(taskId), 'discard')).to.include({ status: 200 })
      await red.statusOf('wait', '1 waiting')
      red.inject('wait', { cancel: true })
    } finally {
      await other.stop()
    }
  })
  async function createAt(id: string) {
    red.inject(id, anOrder())
    return red.next(`${id}.0`)
  }

  it('a new key of the same organization knows the task; a key that does not see it leaves the order to a person', async () => {
    await red.deploy(nodes(at(service.baseUrl)))
    const order = anOrder()
    red.inject('create', order)
    const { taskId } = await red.next('create.0')
    const rotated = await service.service.issueTemporaryKey('Willow Creek Home Health')
    await red.deploy(nodes(at(service.baseUrl, rotated)))
    red.inject('create', order)
    expect(await red.next('create.0')).to.include({ taskId, duplicate: true })
    expect(await tasksOf(order.externalDocId)).to.have.length(1)

    await red.deploy(nodes(at(service.baseUrl, service.otherKey)))
    red.inject('create', order)
    await red.statusOf('create', 'on hold: another API key')
    const row = (await rows()).find(({ reason }) => reason === 'key')
    expect(row).to.include({ kind: 'order', externalDocId: order.externalDocId })
    expect(await tasksOf(order.externalDocId, service.other)).to.deep.equal([])
    await decide(row, 'send')
    expect(await red.next('create.0')).to.include({ externalDocId: order.externalDocId, duplicate: false })
    expect(await tasksOf(order.externalDocId, service.other)).to.have.length(1)
    expect(await tasksOf(order.externalDocId)).to.have.length(1)
    expect(red.waiting('caught')).to.deep.equal([])
  })

  it('a removed wait node, and one that went into a subflow: its waits are counted, and another node adopts them', async () => {
    await red.deploy(nodes(at(service.baseUrl)))
    const { taskId } = await aTask()
    red.inject('wait', { taskId, topic: 'kept' })
    await red.statusOf('wait', '1 waiting')
    const inSubflow: FlowNode[] = [
      { id: 'sub', type: 'subflow', name: 'Wait', in: [], out: [] },
      { ...wait()[0]!, id: 'wait-in-sub', z: 'sub', x: 1, y: 1, wires: [] },
      { id: 'instance', type: 'subflow:sub', z: 'tab', x: 1, y: 1, wires: [] },
    ]
    await red.deploy([...flow(at(service.baseUrl), ...createTask()), ...inSubflow], 'nodes')
    await red.statusOf('create', '1 wait without a node')
    await logged(/Kept here, but no node works on it: 1 wait/)
    const fresh = wait().map((node) => JSON.parse(JSON.stringify(node).replaceAll('"wait', '"later')) as FlowNode)
    fresh[0]!.type = 'countersign-wait'
    await red.deploy(flow(at(service.baseUrl), ...createTask(), ...fresh), 'nodes')
    const row = (await rows()).find(({ reason, taskId: id }) => reason === 'node' && id === taskId)
    expect(row?.nodeId).to.equal('wait')
    expect(await decide(row, 'adopt')).to.include({ status: 200, name: 'later' })
    await service.signs(taskId as number)
    expect(await red.next('later.0')).to.include({ taskId, topic: 'kept' })
  })

  it('a removed held node: its messages stay on the disk, with a warning, until another one adopts them', async () => {
    await red.deploy(nodes(at(service.baseUrl), ...held()))
    red.inject('held', { payload: 'MSH|^~\\&|A', held: ['PID-5 is empty'] })
    await red.statusOf('held', '1 held')
    await red.deploy(nodes(at(service.baseUrl)), 'nodes')
    await logged(/This node was removed while it kept 1 held message\./)
    const other = held().map((node) => JSON.parse(JSON.stringify(node).replaceAll('"held', '"queue')) as FlowNode)
    Object.assign(other[0]!, { type: 'countersign-held' })
    await red.deploy(nodes(at(service.baseUrl), ...other), 'nodes')
    const row = (await rows()).find(({ kind }) => kind === 'held')
    expect(row).to.include({ reason: 'node', nodeId: 'held', count: 1 })
    expect(await decide(row, 'adopt')).to.include({ status: 200, name: 'queue' })
    await red.statusOf('queue', '1 held')
    expect((await rows()).filter(({ kind }) => kind === 'held')).to.deep.equal([])
  })

  it('nothing is kept that no row counts: each part of the journal is known, and those of another address are listed', async () => {
    const events = webhookIn({ publicUrl: red.nodeUrl('countersign/events') })
    await red.deploy(nodes(at(service.baseUrl), ...reconcile(), ...events))
    await red.statusOf('webhook', 'listening')
    const { taskId } = await aTask()
    red.inject('wait', { taskId })
    await red.statusOf('wait', '1 waiting')
    await red.deploy(nodes(at(failingUrl), ...events))
    const parts = namespacesIn(join(red.userDir, 'countersign/journal-service.sqlite'))
    const shared = parts.filter(({ namespace }) => !partOf(namespace)).map(({ namespace }) => namespace)
    expect(shared, 'parts that are read under every address').to.have.members(['creates', 'places'])
    const here = partOf(parts.find(({ namespace }) => namespace.startsWith(`waits-wait-`))!.namespace)!.place
    const kinds = new Set(
      parts.flatMap(({ namespace }) => {
        const part = partOf(namespace)
        return part?.place === here && part.name !== 'events' ? [part.name] : []
      }),
    )
    expect([...kinds]).to.include.members(['waits', 'subscriptions'])
    const listed = new Set((await rows()).map(({ kind }) => kind))
    const KIND = {
      waits: 'wait',
      subscriptions: 'subscription',
      outcomes: 'outcome',
      accepted: 'order',
      parked: 'order',
    }
    for (const name of kinds) expect([...listed]).to.include(KIND[name as keyof typeof KIND])
    await red.statusOf('wait', /^1 wait belongs to /)
  })
})
