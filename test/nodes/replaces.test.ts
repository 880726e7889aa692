/** A document that names what it replaces, in a real Node-RED: what it replaces leaves the inbox before it comes. */
import { expect } from 'chai'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, flow, retract } from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'
import { aCreatedTask } from '../support/service/a-created-task.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'
import { anOrder } from '../support/service/order.ts'

describe('a document that replaces others', function () {
  this.timeout(60_000)
  let red: NodeRed
  let service: HostedService

  before(async () => {
    service = await hostedService()
    red = await aNodeRed()
    await red.deploy(flow(service.node(), ...createTask(), ...retract()))
  })
  after(async () => {
    await red?.stop()
    await service?.stop()
  })

  const sent = async (replaces: unknown, more: object = {}) => {
    const order = { ...anOrder(), ...more, replaces }
    red.inject('create', order)
    return red.next('create.0', ({ externalDocId }) => externalDocId === order.externalDocId)
  }

  it('takes the place of one that waits: a task is retracted once, and one is open', async () => {
    const old = await aCreatedTask(red, service)
    const message = await sent([old.externalDocId])
    expect(message).to.deep.include({ replaced: [{ externalDocId: old.externalDocId, status: 'Retracted' }] })
    expect(await service.statusOf(old.taskId)).to.equal('Retracted')
    await service.reaches(message.taskId, 'Pending')
    const reason = (await service.client.readTask({ params: { id: old.taskId } })).statusReason
    expect(reason).to.equal('Replaced by a newer document')
  })

  it('is sent all the same after one that was signed, has ended, or is not known, and says so', async () => {
    const signed = await aCreatedTask(red, service, 'Completed')
    const rejected = await aCreatedTask(red, service)
    await service.rejects(rejected.taskId, 'Not my patient')
    const gone = await aCreatedTask(red, service)
    await service.client.retractTask({ params: { id: gone.taskId } })
    const ids = [signed, rejected, gone].map(({ externalDocId }) => externalDocId)
    const message = await sent([...ids, 'NEVER-SENT'])
    expect((message.replaced as { status: unknown }[]).map(({ status }) => status)).to.deep.equal([
      'Completed',
      'Rejected',
      'Retracted',
      null,
    ])
    await service.reaches(message.taskId, 'Pending')
  })

  it('withdraws nothing of its own, and nothing where the property holds no ids', async () => {
    const externalDocId = 'REPLACES-ITSELF'
    const message = await sent([externalDocId], { externalDocId })
    await service.reaches(message.taskId, 'Pending')
    for (const replaces of [undefined, null, 'text', [], [''], [7]])
      expect(await sent(replaces)).to.not.have.property('replaced')
    expect(await service.statusOf(message.taskId)).to.equal('Pending')
  })

  it('is withdrawn by any of the ids that its sender knows it by', async () => {
    const { taskId, externalDocId } = await aCreatedTask(red, service)
    red.inject('retract', { externalDocId: 'FILLER-1', aliases: ['FILLER-2', externalDocId] })
    expect(await red.next('retract.0')).to.include({ taskId, status: 'Retracted' })
    red.inject('retract', { externalDocId: 'FILLER-1', aliases: ['FILLER-2'] })
    expect((await red.next('caught')).error).to.include({ code: 'UNKNOWN_TASK' })
  })
})
