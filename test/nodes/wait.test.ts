/** The wait node in a real Node-RED against the real service: outcomes, deploys, restarts. */
import { expect } from 'chai'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, flow, wait } from '../support/node-red/flow.ts'
import type { DeployType, NodeRed } from '../support/node-red/node-red.ts'
import { aCreatedTask } from '../support/service/a-created-task.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'
import { anOrder, SIGNER } from '../support/service/order.ts'

describe('the wait node', function () {
  this.timeout(40_000)
  let red: NodeRed
  let service: HostedService

  before(async () => {
    service = await hostedService()
    red = await aNodeRed()
    await red.deploy(nodes())
  })
  after(async () => {
    await red?.stop()
    await service?.stop()
  })
  let deploys = 0
  const nodes = (more: Record<string, unknown> = {}) => flow(service.node(), ...createTask(), ...wait(more))

  /** A task in the inbox of a signer who does nothing by himself. */
  const aPendingTask = async () => (await aCreatedTask(red, service)).taskId

  const pendingTasks = (count: number) => Promise.all(Array.from({ length: count }, aPendingTask))

  it('sends the message on through the output of its outcome', async () => {
    const [signed, rejected, retracted] = (await pendingTasks(3)) as [number, number, number]
    await service.signs(signed)
    await service.rejects(rejected, 'Not my patient')
    await service.client.retractTask({ params: { id: retracted } })
    for (const taskId of [signed, rejected, retracted]) red.inject('wait', { taskId, topic: `about ${taskId}` })
    expect(await red.next('wait.0')).to.include({ taskId: signed, status: 'Completed', topic: `about ${signed}` })
    const rejection = await red.next('wait.1')
    expect(rejection).to.include({ taskId: rejected, status: 'Rejected', statusReason: 'Not my patient' })
    expect(await red.next('wait.2')).to.include({ taskId: retracted, status: 'Retracted' })
    for (let outcome = 0; outcome < 3; outcome += 1)
      await red.next('completed', ({ complete }) => isOf(complete, 'wait'))
  })

  it('shows how many wait', async () => {
    const [first, second] = await pendingTasks(2)
    red.inject('wait', { taskId: first })
    red.inject('wait', { taskId: String(second) })
    const { text } = await red.statusOf('wait', '2 waiting')
    expect(text).to.match(new RegExp(`^2 waiting, task (${first}|${second}), [0-2]\\d:[0-5]\\d$`))
    await service.signs(first)
    await service.signs(second)
    await red.next('wait.0')
    await red.next('wait.0')
    await red.statusOf('wait', 'completed')
  })

  it('reports a failed ingestion on the third output', async () => {
    red.inject('create', anOrder(SIGNER.unknown))
    const { taskId } = await red.next('create.0')
    red.inject('wait', { taskId })
    const { status, statusReason } = await red.next('wait.2')
    expect(status).to.equal('Failed')
    expect(statusReason).to.be.a('string').that.is.not.empty
  })

  it('stops waiting when told to, for one task or for all, and sends nothing', async () => {
    const [first, second, third] = await pendingTasks(3)
    for (const taskId of [first, second, third]) red.inject('wait', { taskId })
    await red.statusOf('wait', '3 waiting')
    red.inject('wait', { taskId: first, cancel: true })
    await red.statusOf('wait', '2 waiting')
    red.inject('wait', { cancel: true })
    await red.statusOf('wait', 'wait cancelled')
    for (const taskId of [first, second, third]) await service.signs(taskId)
    await takesUpNothing()
  })

  /** A node that starts looks at all its waits at once, so what it still waited for would be told before the outcome of another. */
  async function takesUpNothing() {
    await red.deploy(nodes({ name: `deployed ${++deploys}` }))
    await sendsNothingMore()
    await red.statusOf('wait', 'completed')
  }

  /** Sends another task through the node: anything that it still had to send would come before that. */
  async function sendsNothingMore() {
    const other = await aPendingTask()
    await service.signs(other)
    red.inject('wait', { taskId: other })
    expect(await red.next('wait.0')).to.include({ taskId: other })
    expect(red.waiting('wait.0')).to.deep.equal([])
  }

  it('waits once for a task that is given twice', async () => {
    const taskId = await aPendingTask()
    red.inject('wait', { taskId, topic: 'first' })
    red.inject('wait', { taskId, topic: 'second' })
    await red.statusOf('wait', '1 waiting')
    await service.signs(taskId)
    expect(await red.next('wait.0')).to.include({ topic: 'second' })
    await sendsNothingMore()
    for (const topic of ['first', 'second'])
      await red.next('completed', (message) => message.topic === topic && isOf(message.complete, 'wait'))
  })

  it('refuses a message without a task, and reports a task that nobody knows', async () => {
    red.inject('wait', {})
    const missing = await red.next('caught')
    expect(missing.error).to.include({ code: 'INVALID_INPUT' })
    expect(missing.errors).to.deep.equal([
      'taskId: required; a whole number up to 9007199254740991, given once (Task ID: msg.taskId is empty)',
    ])
    red.inject('wait', { taskId: 987654 })
    const { error } = await red.next('caught', () => true, 35_000)
    expect(error).to.include({ code: 'UNKNOWN_TASK' })
    await red.statusOf('wait', 'not found')
  })

  it('times out on the fourth output, and reports changes on the fifth when asked to', async () => {
    await red.deploy(nodes({ timeout: '1', timeoutUnit: 'seconds', progress: true }))
    const taskId = await aPendingTask()
    red.inject('wait', { taskId, topic: 'kept' })
    expect(await red.next('wait.4')).to.include({ taskId, status: 'Pending', topic: 'kept' })
    expect(await red.next('wait.3')).to.include({ taskId, status: 'Pending', topic: 'kept' })
    await red.statusOf('wait', 'timed out')
  })

  for (const type of ['nodes', 'flows', 'full'] as DeployType[]) {
    it(`goes on waiting after a deploy of kind ${type}, once`, async () => {
      await red.deploy(nodes())
      const taskId = await aPendingTask()
      red.inject('wait', { taskId, topic: type })
      await red.statusOf('wait', '1 waiting')
      await red.deploy(nodes({ name: `changed by ${type}` }), type)
      await red.statusOf('wait', '1 waiting')
      // The message is handed back; only where the complete node itself was not started anew is it there to see that.
      if (type === 'nodes') await red.next('completed', ({ topic }) => topic === type)
      await service.signs(taskId)
      expect(await red.next('wait.0')).to.include({ taskId, status: 'Completed' })
      await sendsNothingMore()
    })
  }

  it('goes on waiting after the runtime was killed', async () => {
    await red.deploy(nodes())
    const taskId = await aPendingTask()
    red.inject('wait', { taskId, _msgid: 'from-before' })
    await red.statusOf('wait', '1 waiting')
    const { userDir, port } = red
    await red.kill()
    await service.signs(taskId)
    red = await aNodeRed({ userDir, port })
    expect(await red.next('wait.0')).to.include({ taskId, status: 'Completed', _msgid: 'from-before' })
  })

  it('keeps its waits when it is removed, and takes them up when it is back', async () => {
    const taskId = await aPendingTask()
    red.inject('wait', { taskId })
    await red.statusOf('wait', '1 waiting')
    await red.deploy(flow(service.node(), ...createTask()), 'nodes')
    await red.statusOf('create', '1 wait without a node')
    await service.signs(taskId)
    await red.deploy(nodes(), 'nodes')
    expect(await red.next('wait.0')).to.include({ taskId, status: 'Completed' })
  })
})

const isOf = (complete: unknown, id: string) => (complete as { source?: { id: string } })?.source?.id === id
