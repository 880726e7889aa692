/** The same package in the older Node-RED that it supports, which loads modules in another way. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { root } from '../support/built.ts'
import { createTask, embedded, flow, wait, webhookIn } from '../support/flow.ts'
import { type NodeRed, startNodeRed } from '../support/node-red.ts'
import { anOrder, SIGNER } from '../support/order.ts'

const { 'node-red': declared } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const TYPES = Object.keys(declared.nodes).map((set) => `countersign-${set}`)

describe('Node-RED 4.1', function () {
  this.timeout(60_000)
  let red: NodeRed

  before(async () => {
    red = await startNodeRed({ runtime: 'node-red-4' })
  })
  after(() => red?.stop())

  it('loads every node, and a document goes all the way', async () => {
    const sets = (await (await fetch(red.adminUrl('nodes'), { headers: { accept: 'application/json' } })).json()) as {
      module: string
      types: string[]
      err?: string
    }[]
    const own = sets.filter(({ module }) => module === '@countersign/node-red-document-signature')
    expect(own.flatMap(({ types }) => types)).to.have.members(TYPES)
    expect(own.map(({ err }) => err).filter(Boolean)).to.deep.equal([])
    await red.deploy(flow(embedded(), ...createTask(), ...wait(), ...webhookIn()))
    await red.statusOf('webhook', 'listening')
    red.inject('create', anOrder(SIGNER.signs))
    const { taskId } = await red.next('create.0')
    red.inject('wait', { taskId })
    expect(await red.next('webhook.0')).to.include({ taskId, status: 'Pending' })
    expect(await red.next('wait.0', () => true, 30_000)).to.include({ taskId, status: 'Completed' })
  })
})
