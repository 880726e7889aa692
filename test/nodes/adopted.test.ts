/**
 * Messages that a removed node has left, in a real Node-RED: a person gives them to another node of the same type, which sends them on
 * as if they had come to it, once.
 */
import { expect } from 'chai'
import type { OrphanList, OrphanRow } from '../../nodes/shared/orphans/act.ts'
import { eventually } from '../support/eventually.ts'
import { anOrder as anHl7Order } from '../support/hl7/an-order.ts'
import { aMessage, aSender } from '../support/hl7/mllp-peers.ts'
import { aGateway, type Gateway } from '../support/network/a-gateway.ts'
import { freePort } from '../support/network/free-port.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { accept, createTask, done, flow, host, mllpIn, orderFromHl7 } from '../support/node-red/flow.ts'
import type { FlowNode, NodeRed } from '../support/node-red/node-red.ts'
import { aService, type TestService } from '../support/service/a-service.ts'
import { anOrder } from '../support/service/order.ts'

describe('what a removed node has left', function () {
  this.timeout(90_000)
  let red: NodeRed
  let service: TestService
  let gateway: Gateway
  before(async () => {
    service = await aService()
    gateway = await aGateway(service.baseUrl)
    red = await aNodeRed()
  })
  after(async () => {
    await red?.stop()
    await gateway?.stop()
    await service?.stop()
  })
  /** How long a create is unsure, in seconds: while it is, the order is kept. */
  let settle = '1'
  afterEach(() => {
    settle = '1'
    gateway.pace.isAway = false
  })

  const nodes = (...more: FlowNode[]) =>
    flow(host(gateway.baseUrl, { credentials: { apiKey: service.key }, timeout: '120', settle }), ...more, ...done())
  /** The same node and its probes under another id, as a person adds it in the place of the one that is gone. */
  const renamed = (made: FlowNode[], from: string, to: string) =>
    made.map((node) => ({
      ...(JSON.parse(JSON.stringify(node).replaceAll(`"${from}`, `"${to}`)) as FlowNode),
      type: node.type,
    }))
  const url = () => red.adminUrl('countersign/services/service/orphans')
  const rows = async () => ((await (await fetch(url())).json()) as OrphanList).rows
  async function decide(row: OrphanRow | undefined, action: string) {
    const answer = await fetch(url(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: row?.id, action }),
    })
    return { status: answer.status, ...((await answer.json()) as { name?: string; error?: string }) }
  }
  /** Takes the one row of a kind over, and finds that nothing is left. */
  async function adopt(kind: string, name: string, about: object, action = 'adopt') {
    const [row, ...others] = (await rows()).filter((one) => one.kind === kind)
    expect(others).to.deep.equal([])
    expect(row).to.include({ reason: 'node', ...about })
    expect(await decide(row, action)).to.include({ status: 200, name })
    expect((await rows()).filter((one) => one.kind === kind)).to.deep.equal([])
    expect(await decide(row, action)).to.include({ status: 409, error: 'NOT_KEPT' })
  }

  it('mllp in: messages that no node had taken over go into the flow of another one, and their duplicates do not', async () => {
    const [first, second] = [await freePort(), await freePort()]
    await red.deploy(nodes(...mllpIn(first)))
    await red.statusOf('in', /^listening/)
    const sender = aSender(first)
    for (const id of ['LEFT1', 'LEFT2', 'TAKEN']) expect(await sender.send(aMessage(id))).to.include({ code: 'AA' })
    const { intake } = await red.next('in.0', ({ controlId }) => controlId === 'TAKEN')
    red.inject('done', { intake })
    await red.next('done.0')
    sender.close()
    await red.deploy(nodes(...renamed(mllpIn(second), 'in', 'mllp-later')))
    await red.statusOf('mllp-later', /^listening/)
    await adopt('intake', 'mllp-later', { nodeId: 'in', count: 2 })
    const [one, two] = [await red.next('mllp-later.0'), await red.next('mllp-later.0')]
    expect([one.controlId, two.controlId]).to.deep.equal(['LEFT1', 'LEFT2'])
    expect(Buffer.from(one.payload as Buffer)).to.deep.equal(aMessage('LEFT1'))
    for (const { intake } of [one, two]) red.inject('done', { intake })
    for (const _ of [one, two]) await red.next('done.0')
    const other = aSender(second)
    expect(await other.send(aMessage('LEFT1'))).to.include({ code: 'AA' })
    expect(await other.send(aMessage('NEXT'))).to.include({ code: 'AA' })
    const next = await red.next('mllp-later.0')
    expect(next).to.include({ controlId: 'NEXT' })
    red.inject('done', { intake: next.intake })
    await red.next('done.0')
    other.close()
  })

  it('accept message: a message that was answered with 202 goes into the flow of another one', async () => {
    const http = { id: 'post', type: 'http in', url: '/adopted', method: 'post', wires: [['order-from-hl7']] }
    const [order] = orderFromHl7({ documentTypes: { CMS485: { documentTypeId: 104 } } })
    const answer = { id: 'answer', type: 'http response', wires: [] }
    const receiver = (id: string) => {
      const made = renamed(accept(), 'accept', id)
      const wired = made.map((node) =>
        node.id === id ? { ...node, wires: [[`${id}.0`], [`${id}.1`, 'answer']] } : node,
      )
      return nodes(http, { ...order!, wires: [[id], [id], [id]] }, ...wired, answer)
    }
    await red.deploy(receiver('accept'))
    const posted = await fetch(red.nodeUrl('adopted'), {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: new Uint8Array(anHl7Order()),
    })
    expect(posted.status).to.equal(202)
    const { externalDocId } = await red.next('accept.0')
    await red.deploy(receiver('accept-later'))
    await adopt('intake', 'accept-later', { nodeId: 'accept', count: 1 })
    const adopted = await red.next('accept-later.0')
    expect(adopted).to.include({ externalDocId, action: 'create' })
    red.inject('done', { intake: adopted.intake })
    await red.next('done.0')
    expect(await rows()).to.deep.equal([])
  })

  it('create task: an order that was accepted becomes one task of another one', async () => {
    gateway.pace.isAway = true
    settle = '120'
    await red.deploy(nodes(...createTask()))
    const order = anOrder()
    red.inject('create', order)
    const kept = async () => (await fetch(red.adminUrl('countersign/kept?ids=create'))).json()
    await eventually(async () => expect(await kept()).to.deep.equal([{ kind: 'order', nodeId: 'create', count: 1 }]))
    settle = '1'
    await red.deploy(nodes(...renamed(createTask(), 'create', 'create-later')))
    gateway.pace.isAway = false
    await adopt('order', 'create-later', { nodeId: 'create', externalDocId: order.externalDocId }, 'send')
    expect(await red.next('create-later.0')).to.include({ externalDocId: order.externalDocId, duplicate: false })
    const query = { externalDocId: order.externalDocId }
    expect(await service.client.listTasks({ query })).to.have.length(1)
  })
})
