/** Subscriptions whose webhook node went without being asked: deleted while it was disabled, or its service was away. */
import { expect } from 'chai'
import { eventually } from '../support/eventually.ts'
import { aGateway, type Gateway } from '../support/network/a-gateway.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { flow, webhookIn } from '../support/node-red/flow.ts'
import type { FlowNode, NodeRed } from '../support/node-red/node-red.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'

describe('the subscription of a webhook node that is gone', function () {
  this.timeout(40_000)
  let red: NodeRed
  let service: HostedService
  let gateway: Gateway

  before(async () => {
    service = await hostedService()
    gateway = await aGateway(service.baseUrl)
    red = await aNodeRed()
  })
  after(async () => {
    await red?.stop()
    await gateway?.stop()
    await service?.stop()
  })

  const connection = () => service.node({ baseUrl: gateway.baseUrl })
  const listening = (more: Record<string, unknown> = {}) =>
    flow(connection(), ...webhookIn({ publicUrl: red.nodeUrl('countersign/events'), ...more }))
  const ids = async () => (await service.client.listSubscriptions()).map(({ id }) => id)
  const ends = (id: number) => eventually(async () => expect(await ids()).not.to.include(id))

  async function subscribed(nodes: FlowNode[]): Promise<number> {
    const before = await ids()
    await red.deploy(nodes)
    return eventually(async () => {
      const made = (await ids()).filter((id) => !before.includes(id))
      expect(made).to.have.length(1)
      return made[0]!
    })
  }

  it('ends when the node was deleted while it was disabled', async () => {
    const id = await subscribed(listening())
    await red.deploy(listening({ d: true }), 'nodes')
    expect(await ids()).to.include(id)
    await red.deploy(flow(connection()), 'nodes')
    await ends(id)
  })

  it('ends as soon as the service can be reached again, and at the next start at the latest', async () => {
    const id = await subscribed(listening())
    gateway.pace.isAway = true
    await red.deploy(flow(connection()), 'nodes')
    expect(await ids()).to.include(id)
    const { userDir, port } = red
    await red.kill()
    red = await aNodeRed({ userDir, port })
    expect(await ids()).to.include(id)
    gateway.pace.isAway = false
    await ends(id)
  })

  it('stays while the node is disabled in an instance of a subflow, and ends with the instance', async () => {
    const instance: FlowNode = { id: 'instance', type: 'subflow:sub', z: 'tab', x: 1, y: 1, wires: [] }
    const [webhook] = webhookIn({ publicUrl: red.nodeUrl('countersign/below'), path: 'countersign/below' })
    const subflow: FlowNode[] = [
      { id: 'sub', type: 'subflow', name: 'events', in: [], out: [] },
      { ...webhook!, id: 'inner', z: 'sub', x: 1, y: 1, wires: [] },
    ]
    const id = await subscribed([...flow(connection()), ...subflow, instance])
    await red.deploy([...flow(connection()), ...subflow, { ...instance, d: true }], 'full')
    const { userDir, port } = red
    await red.kill()
    red = await aNodeRed({ userDir, port })
    await red.deploy([...flow(connection()), ...subflow, instance], 'full')
    expect(await ids()).to.include(id)
    await red.deploy([...flow(connection()), ...subflow], 'full')
    await ends(id)
  })
})
