/** The subscription of the webhook node at a real service: made once, kept, moved, and ended with the node. */
import { expect } from 'chai'
import { eventually } from '../support/eventually.ts'
import { answers, aRoughReceiver } from '../support/network/rough-receiver.ts'
import { createTask, flow, wait, webhookIn } from '../support/node-red/flow.ts'
import { type FlowNode, type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'
import { anOrder } from '../support/service/order.ts'

describe('the webhook node that keeps its subscription', function () {
  this.timeout(40_000)
  let red: NodeRed
  let service: HostedService
  const nodes = (more: Record<string, unknown> = {}, service_: FlowNode = service.node()) =>
    flow(
      service_,
      ...createTask(),
      ...wait({ progress: true }),
      ...webhookIn({ publicUrl: red.nodeUrl('countersign/events'), ...more }),
    )
  const subscriptions = () => service.client.listSubscriptions()

  before(async () => {
    service = await hostedService()
    red = await startNodeRed()
    await red.deploy(nodes())
    await red.statusOf('webhook', 'listening')
  })
  after(async () => {
    await red?.stop()
    await service?.stop()
  })

  it('makes one, receives by it, and wakes the wait node', async () => {
    const [only, ...others] = await subscriptions()
    expect(others).to.deep.equal([])
    expect(only).to.include({ url: red.nodeUrl('countersign/events'), isActive: true })
    const order = anOrder()
    red.inject('create', order)
    const { taskId } = await red.next('create.0')
    const pending = await red.next('webhook.0', ({ status }) => status === 'Pending')
    expect(pending).to.include({ taskId, externalDocId: order.externalDocId })
    red.inject('wait', { taskId })
    // It has just looked, so by itself it looks again after 1.6 seconds at the least.
    await red.next('wait.4', (message) => message.taskId === taskId)
    const retractedAt = Date.now()
    await service.client.retractTask({ params: { id: Number(taskId) }, query: {} })
    await red.next('wait.2')
    expect(Date.now() - retractedAt).to.be.lessThan(1200)
    await red.next('webhook.0', ({ status }) => status === 'Retracted')
  })

  it('keeps it over deploys and restarts', async () => {
    const [{ id } = { id: 0 }] = await subscriptions()
    await red.deploy(nodes({ name: 'changed' }), 'nodes')
    await red.statusOf('webhook', 'listening')
    await red.deploy(nodes(), 'full')
    await red.statusOf('webhook', 'listening')
    const { userDir, port } = red
    await red.kill()
    red = await startNodeRed({ userDir, port })
    await red.statusOf('webhook', 'listening')
    expect((await subscriptions()).map((one) => one.id)).to.deep.equal([id])
    red.inject('create', anOrder())
    const { taskId } = await red.next('create.0')
    await red.next('webhook.0', (message) => message.taskId === taskId)
  })

  it('makes it active again', async () => {
    const [{ id } = { id: 0 }] = await subscriptions()
    await service.client.updateSubscription({ params: { id }, body: { active: false } })
    await red.deploy(nodes())
    await red.statusOf('webhook', 'listening')
    expect((await subscriptions()).map((one) => [one.id, one.isActive])).to.deep.equal([[id, true]])
  })

  it('moves it with the URL', async () => {
    const [{ id } = { id: 0 }] = await subscriptions()
    const publicUrl = red.nodeUrl('countersign/moved')
    await red.deploy(nodes({ path: 'countersign/moved', publicUrl }))
    await red.statusOf('webhook', 'listening')
    const [moved, ...others] = await subscriptions()
    expect(others).to.deep.equal([])
    expect(moved).to.include({ id, url: publicUrl, isActive: true })
  })

  it('takes along what waited for the URL that it leaves', async () => {
    const away = await aRoughReceiver({ behave: answers(500) })
    try {
      await red.deploy(nodes({ publicUrl: away.url }))
      await red.statusOf('webhook', 'listening')
      red.inject('create', anOrder())
      const { taskId } = await red.next('create.0')
      const isWaiting = async () => {
        const [delivery] = await service.deliveries(taskId)
        expect(delivery).to.include({ state: 'waiting', attempts: 1, isUnderWay: false })
        return delivery!.eventId
      }
      const eventId = await eventually(isWaiting)
      await red.deploy(nodes())
      expect(await red.next('webhook.0', (message) => message.taskId === taskId)).to.include({ eventId })
      expect(away.taken).to.have.length(1)
    } finally {
      await away.close()
    }
  })

  it('hands on only the chosen statuses', async () => {
    await red.deploy(nodes({ statuses: ['Completed'] }))
    await red.statusOf('webhook', 'listening')
    red.inject('create', anOrder())
    const { taskId } = await red.next('create.0')
    await service.reaches(taskId, 'Pending')
    await service.signs(taskId)
    expect(await red.next('webhook.0')).to.include({ taskId, status: 'Completed' })
  })

  it('ends it when the node is removed, with its service or without', async () => {
    await red.deploy(flow(service.node(), ...createTask()), 'nodes')
    expect(await subscriptions()).to.deep.equal([])
    await red.deploy(nodes())
    await red.statusOf('webhook', 'listening')
    expect(await subscriptions()).to.have.length(1)
    await red.deploy(flow(), 'full')
    expect(await subscriptions()).to.deep.equal([])
  })
})
