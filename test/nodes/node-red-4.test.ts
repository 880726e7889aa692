/** The same package in the older Node-RED that it supports, which loads modules in another way. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { root } from '../support/built.ts'
import { eachWorks, everyNode } from '../support/node-red/every-node.ts'
import { createTask, embedded, flow, signer, wait, webhookIn } from '../support/node-red/flow.ts'
import { type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'
import { anOrder } from '../support/service/order.ts'

const { 'node-red': declared } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const TYPES = Object.keys(declared.nodes).map((set) => `countersign-${set}`)

describe('Node-RED 4.1', function () {
  this.timeout(60_000)
  let red: NodeRed
  let service: HostedService

  before(async () => {
    service = await hostedService()
    red = await startNodeRed({ runtime: 'node-red-4' })
  })
  after(async () => {
    await red?.stop()
    await service?.stop()
  })

  it('is what runs here', async () => {
    const { version } = (await (await fetch(red.adminUrl('settings'))).json()) as { version: string }
    expect(version).to.match(/^4\.1\./)
  })

  it('loads every node', async () => {
    const sets = (await (await fetch(red.adminUrl('nodes'), { headers: { accept: 'application/json' } })).json()) as {
      module: string
      types: string[]
      err?: string
    }[]
    const own = sets.filter(({ module }) => module === '@countersign/node-red-document-signature')
    expect(own.flatMap(({ types }) => types)).to.have.members(TYPES)
    expect(own.map(({ err }) => err).filter(Boolean)).to.deep.equal([])
  })

  it('runs every node, before and after it was killed', async () => {
    await red.deploy(everyNode(red, service.node(), 'first'))
    await eachWorks(red, service)
    const { userDir, port } = red
    await red.kill()
    red = await startNodeRed({ runtime: 'node-red-4', userDir, port })
    await eachWorks(red, service)
  })

  it('starts the embedded service, and a document goes all the way', async () => {
    await red.deploy(flow(embedded(), ...createTask(), ...wait(), ...webhookIn(), ...signer()))
    await red.statusOf('webhook', 'listening')
    // The node sends once more what it had not noted as sent when it was killed.
    red.inject('create', { ...anOrder(), topic: 'embedded' })
    const { taskId } = await red.next('create.0', ({ topic }) => topic === 'embedded')
    red.inject('wait', { taskId })
    await red.next('webhook.0', (message) => message.taskId === taskId && message.status === 'Pending')
    red.inject('signer', { taskId })
    expect(await red.next('wait.0')).to.include({ taskId, status: 'Completed' })
    expect(red.waiting('caught')).to.deep.equal([])
  })
})
