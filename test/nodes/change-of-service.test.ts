/** A flow that moves from one service to another by its configuration node: ids of the one are never taken for the other's. */
import { expect } from 'chai'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, flow, wait, webhookIn } from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'
import { anOrder } from '../support/service/order.ts'

describe('a flow that moves from one service to another', function () {
  this.timeout(40_000)
  let red: NodeRed
  let first: HostedService
  let second: HostedService

  before(async () => {
    first = await hostedService()
    second = await hostedService()
    red = await aNodeRed()
  })
  after(async () => {
    await red?.stop()
    await first?.stop()
    await second?.stop()
  })

  const deployOn = async (service: HostedService) => {
    const events = webhookIn({ publicUrl: red.nodeUrl('countersign/events') })
    await red.deploy(flow(service.node(), ...createTask(), ...wait(), ...events))
    await red.statusOf('webhook', 'listening')
  }
  async function aPendingTask(service: HostedService) {
    const order = anOrder()
    red.inject('create', order)
    const { taskId } = await red.next('create.0', ({ externalDocId }) => externalDocId === order.externalDocId)
    await service.reaches(taskId, 'Pending')
    return taskId as number
  }

  it('waits for the tasks of the one it is on, hears its events, and finds everything again when it is back', async () => {
    await deployOn(first)
    const taskId = await aPendingTask(first)
    red.inject('wait', { taskId, topic: 'of the first' })
    await red.statusOf('wait', '1 waiting')
    await red.next('webhook.0', ({ status }) => status === 'Pending')
    const [subscribed] = await first.client.listSubscriptions()

    // Services count from the same number, so this is the same id for another task.
    await deployOn(second)
    expect(await aPendingTask(second)).to.equal(taskId)
    expect(await red.next('webhook.0', (message) => message.taskId === taskId)).to.include({ status: 'Pending' })
    await second.signs(taskId)
    await red.next('webhook.0', (message) => message.taskId === taskId && message.status === 'Completed')
    expect(red.waiting('wait.0'), 'the wait was for a task of the first').to.deep.equal([])
    expect(await first.client.listSubscriptions()).to.deep.equal([subscribed])

    await deployOn(first)
    await red.statusOf('wait', '1 waiting')
    await first.rejects(taskId, 'Not my patient')
    expect(await red.next('wait.1')).to.include({ taskId, status: 'Rejected' })
    await red.next('webhook.0', (message) => message.taskId === taskId && message.status === 'Rejected')
    const { id } = subscribed!
    expect((await first.client.listSubscriptions()).map((one) => one.id)).to.deep.equal([id])
    expect(red.waiting('caught')).to.deep.equal([])
  })
})
