/** Node-RED killed in the middle of its work and started again: nothing that was under way is lost, nothing is done twice. */
import { expect } from 'chai'
import { type HostedService, hostedService } from '../../service/hosted-service.ts'
import { anOrder } from '../../service/order.ts'
import { signsAll } from '../../service/signs-all.ts'
import { createTask, flow, wait, webhookIn } from '../flow.ts'
import { type NodeRed, startNodeRed } from '../node-red.ts'

export interface UnderWay {
  /** Tasks whose outcome it waits for. */
  waits: number
  /** Orders that it is creating tasks for. */
  creates: number
}

/** Kills a Node-RED with this much under way, and checks all that the one started in its place does. */
export async function killedUnderWay(underWay: UnderWay): Promise<void> {
  const service = await hostedService()
  let red = await startNodeRed()
  try {
    const waiting = await waitsFor(red, service, underWay.waits)
    const orders = await killedWhileCreating(red, service, underWay)
    red = await startNodeRed({ userDir: red.userDir, port: red.port })
    await red.statusOf('wait', `${waiting.length} waiting`)
    await makesNoneTwice(red, service, orders)
    await tellsAllOnce(red, service, waiting)
  } finally {
    await red.stop()
    await service.stop()
  }
}

/** The ids of tasks that were created and are waited for. */
async function waitsFor(red: NodeRed, service: HostedService, waits: number): Promise<number[]> {
  const events = webhookIn({ publicUrl: red.nodeUrl('countersign/events') })
  await red.deploy(flow(service.node({ settle: '2', concurrency: '10' }), ...createTask(), ...wait(), ...events))
  const waiting: number[] = []
  for (let sent = 0; sent < waits; sent += 1) red.inject('create', anOrder())
  for (let sent = 0; sent < waits; sent += 1) waiting.push((await red.next('create.0')).taskId as number)
  for (const taskId of waiting) red.inject('wait', { taskId })
  await red.statusOf('wait', `${waits} waiting`)
  return waiting
}

/** Some of the orders have become tasks, and some have not. */
async function killedWhileCreating(red: NodeRed, service: HostedService, { waits, creates }: UnderWay) {
  const orders = Array.from({ length: creates }, () => anOrder())
  for (const order of orders) red.inject('create', order)
  // The first answer is there, so others are on their way and the rest has not begun.
  await red.next('create.0')
  await red.kill()
  const made = await service.client.listTasks({ query: { limit: 500 } })
  expect(made.length - waits, 'killed in the middle').to.be.within(1, creates - 1)
  return orders
}

async function makesNoneTwice(red: NodeRed, service: HostedService, orders: ReturnType<typeof anOrder>[]) {
  // Nobody sends again what was not answered; what was answered is known already.
  const answers: Awaited<ReturnType<NodeRed['next']>>[] = []
  for (const _ of orders) answers.push(await red.next('create.0', () => true, 30_000))
  for (const { externalDocId } of orders) {
    const tasks = await service.client.listTasks({ query: { externalDocId } })
    expect(
      tasks.map(({ taskId }) => taskId),
      externalDocId,
    ).to.deep.equal([answers.find((answer) => answer.externalDocId === externalDocId)?.taskId])
  }
}

async function tellsAllOnce(red: NodeRed, service: HostedService, waiting: readonly number[]): Promise<void> {
  await signsAll(service, waiting)
  const signed: number[] = []
  for (const _ of waiting) signed.push((await red.next('wait.0', () => true, 30_000)).taskId as number)
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
}
