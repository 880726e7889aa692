/** Node-RED killed in the middle of its work and started again: nothing that was under way is lost, nothing is done twice. */
import { expect } from 'chai'
import { createTask, flow, wait, webhookIn } from '../support/node-red/flow.ts'
import { type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'
import { anOrder } from '../support/service/order.ts'

const WAITS = 100
const CREATES = 20
/** Who sign at the same time, each one task after the other. */
const SIGNERS = 8

describe('Node-RED killed with 100 waits and 20 creates under way', function () {
  this.timeout(120_000)
  let red: NodeRed
  let service: HostedService

  before(async () => {
    service = await hostedService()
    red = await startNodeRed()
  })
  after(async () => {
    await red?.stop()
    await service?.stop()
  })

  it('loses no task and makes none twice', async () => {
    const events = webhookIn({ publicUrl: red.nodeUrl('countersign/events') })
    await red.deploy(flow(service.node({ settle: '2', concurrency: '10' }), ...createTask(), ...wait(), ...events))
    const waiting: number[] = []
    for (let sent = 0; sent < WAITS; sent += 1) red.inject('create', anOrder())
    for (let sent = 0; sent < WAITS; sent += 1) waiting.push((await red.next('create.0')).taskId as number)
    for (const taskId of waiting) red.inject('wait', { taskId })
    await red.statusOf('wait', `${WAITS} waiting`)

    const orders = Array.from({ length: CREATES }, () => anOrder())
    for (const order of orders) red.inject('create', order)
    // The first answer is there, so others are on their way and the rest has not begun.
    await red.next('create.0')
    const { userDir, port } = red
    await red.kill()
    const made = await service.client.listTasks({ query: { limit: 500 } })
    expect(made.length - WAITS, 'killed in the middle').to.be.within(1, CREATES - 1)

    red = await startNodeRed({ userDir, port })
    await red.statusOf('wait', `${WAITS} waiting`)
    // Its sender sends again what was not answered.
    for (const order of orders) red.inject('create', order)
    const answers = []
    for (let sent = 0; sent < CREATES; sent += 1) answers.push(await red.next('create.0', () => true, 30_000))
    for (const { externalDocId } of orders) {
      const tasks = await service.client.listTasks({ query: { externalDocId } })
      expect(
        tasks.map(({ taskId }) => taskId),
        externalDocId,
      ).to.deep.equal([answers.find((answer) => answer.externalDocId === externalDocId)?.taskId])
    }

    const toSign = [...waiting]
    const signer = async () => {
      for (let taskId = toSign.pop(); taskId !== undefined; taskId = toSign.pop()) {
        await service.reaches(taskId, 'Pending')
        await service.signs(taskId)
      }
    }
    await Promise.all(Array.from({ length: SIGNERS }, signer))
    const signed: number[] = []
    for (let seen = 0; seen < WAITS; seen += 1)
      signed.push((await red.next('wait.0', () => true, 30_000)).taskId as number)
    expect(signed.toSorted()).to.deep.equal(waiting.toSorted())
    // What was to be told twice would come before the outcome of one more task.
    red.inject('create', anOrder())
    const { taskId: last } = await red.next('create.0')
    await service.reaches(last, 'Pending')
    await service.signs(last)
    red.inject('wait', { taskId: last })
    expect(await red.next('wait.0')).to.include({ taskId: last })
    expect(red.waiting('wait.0')).to.deep.equal([])
    expect(red.waiting('caught')).to.deep.equal([])
  })
})
