/** The reconcile node in a real Node-RED against the real service: what nobody has recorded comes, and nothing else. */
import { expect } from 'chai'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, flow, operation, reconcile, record, wait } from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'
import { aCreatedTask } from '../support/service/a-created-task.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'
import { anOrder, SIGNER } from '../support/service/order.ts'

describe('the reconcile node', function () {
  this.timeout(40_000)
  let red: NodeRed
  let service: HostedService
  const OUTPUTS = ['reconcile.0', 'reconcile.1', 'reconcile.2']

  before(async () => {
    service = await hostedService()
    red = await aNodeRed()
  })
  beforeEach(async () => {
    await red.deploy(nodes())
    // What an earlier test has left is none of the next one's business.
    const left = await service.client.listTasks({ query: { limit: 500 } })
    for (const { taskId } of left) red.inject('reconcile', { taskId, acknowledge: true })
    for (const _ of left) await red.next('completed')
  })
  after(async () => {
    await red?.stop()
    await service?.stop()
  })

  const nodes = (...more: Parameters<typeof flow>) =>
    flow(service.node(), ...createTask(), ...wait(), ...record(), ...(more.length > 0 ? more : reconcile()))
  const completedTasks = async (count: number) => {
    const ids: number[] = []
    while (ids.length < count) ids.push(await aTask('Completed'))
    return ids
  }
  const aTask = async (status: 'Pending' | 'Completed') => (await aCreatedTask(red, service, status)).taskId

  /** Lets the node look, and returns the tasks that it sent. */
  async function looks(id = 'reconcile') {
    const topic = `look ${Math.random()}`
    red.inject(id, { topic })
    await red.next('completed', (message) => message.topic === topic)
    return OUTPUTS.flatMap((output) => red.waiting(output))
      .filter((message) => message.topic === topic)
      .map(({ taskId }) => taskId as number)
  }

  it('sends what is Completed, Rejected or Failed by the output of each, with what the message had', async () => {
    const [signed, rejected, retracted] = [await aTask('Completed'), await aTask('Pending'), await aTask('Pending')]
    await service.rejects(rejected, 'Not my patient')
    await service.client.retractTask({ params: { id: retracted } })
    await aTask('Pending')
    red.inject('create', anOrder(SIGNER.unknown))
    const { taskId: failed } = await red.next('create.0')
    await service.reaches(failed, 'Failed')
    red.inject('reconcile', { topic: 'asked', sentBefore: 'of the message' })
    const completed = await red.next('reconcile.0')
    expect(completed).to.include({ taskId: signed, status: 'Completed', topic: 'asked', sentBefore: 0 })
    expect(completed.payload).to.include({ taskId: signed })
    expect(await red.next('reconcile.1')).to.include({ taskId: rejected, statusReason: 'Not my patient' })
    expect(await red.next('reconcile.2')).to.include({ taskId: failed, status: 'Failed' })
    await red.statusOf('reconcile', '3 sent')
    for (const output of OUTPUTS) expect(red.waiting(output)).to.deep.equal([])
  })

  it('sends none that is recorded, here or elsewhere', async () => {
    const [here, elsewhere] = [await aTask('Completed'), await aTask('Completed')]
    red.inject('record', { taskId: here, savedId: 'SAVED-HERE' })
    await red.next('record.0')
    const query = { externalSavedDocumentId: 'SAVED-ELSEWHERE' }
    await service.client.updateTask({ params: { id: elsewhere }, query })
    expect(await looks()).to.deep.equal([])
    await red.statusOf('reconcile', 'all recorded')
  })

  it('sends none that was acknowledged, and says when a message names no task', async () => {
    red.inject('create', anOrder(SIGNER.unknown))
    const { taskId } = await red.next('create.0')
    await service.reaches(taskId, 'Failed')
    red.inject('reconcile', { taskId, acknowledge: true })
    await red.statusOf('reconcile', 'acknowledged')
    expect(await looks()).to.deep.equal([])
    red.inject('reconcile', { acknowledge: true })
    expect((await red.next('caught')).error).to.include({ code: 'INVALID_INPUT' })
  })

  it('sends each once, however many nodes and messages look at the same time', async () => {
    const other = operation('other', 'reconcile', { ...reconcile()[0], id: 'other', type: 'countersign-reconcile' }, 1)
    await red.deploy(nodes(...reconcile(), ...other))
    const tasks = await completedTasks(6)
    for (let look = 0; look < 4; look += 1) for (const id of ['reconcile', 'other']) red.inject(id, { look })
    for (let look = 0; look < 8; look += 1) await red.next('completed', (message) => message.look !== undefined)
    const sent = ['reconcile.0', 'other.0'].flatMap((output) => red.waiting(output).map(({ taskId }) => taskId))
    expect(sent.toSorted()).to.deep.equal(tasks.toSorted())
  })

  it('sends what nobody has recorded again after its time, until somebody has', async () => {
    await red.deploy(nodes(...reconcile({ interval: '0.005', repeat: '0.01' })))
    const taskId = await aTask('Completed')
    expect(await red.next('reconcile.0')).to.include({ taskId, sentBefore: 0 })
    expect(await red.next('reconcile.0')).to.include({ taskId, sentBefore: 1 })
    red.inject('record', { taskId, savedId: 'SAVED-LATE' })
    await red.next('record.0')
    await red.deploy(nodes(...reconcile({ repeat: '0' })))
    expect(await looks()).to.deep.equal([])
  })

  it('leaves a task alone until it has been over for a while, or when it was created too long ago', async () => {
    await aTask('Completed')
    await red.deploy(nodes(...reconcile({ quiet: '1' })))
    expect(await looks()).to.deep.equal([])
    await red.deploy(nodes(...reconcile({ lookBack: '0.000001' })))
    expect(await looks()).to.deep.equal([])
    await red.deploy(nodes(...reconcile({ lookBack: '0' })))
    expect(await looks()).to.have.length(1)
  })

  it('leaves to the wait node what that waits for, and what it has just sent', async () => {
    const taskId = await aTask('Pending')
    red.inject('wait', { taskId, topic: 'waited for' })
    await red.statusOf('wait', '1 waiting')
    await service.signs(taskId)
    expect(await looks()).to.deep.equal([])
    expect(await red.next('wait.0')).to.include({ taskId, topic: 'waited for' })
    await red.statusOf('wait', 'completed')
    expect(await looks()).to.deep.equal([])
  })

  it('sends everything that is not recorded by itself when Node-RED was killed in the middle of it', async () => {
    const tasks = await completedTasks(6)
    await red.deploy(nodes(...reconcile({ interval: '10' })))
    const { taskId: recorded } = await red.next('reconcile.0')
    red.inject('record', { taskId: recorded, savedId: 'SAVED-BEFORE' })
    await red.next('record.0')
    const { userDir, port } = red
    await red.kill()
    red = await aNodeRed({ userDir, port })
    await red.statusOf('reconcile', '5 sent')
    const sent = red.waiting('reconcile.0').map(({ taskId }) => taskId as number)
    expect(sent.toSorted()).to.deep.equal(tasks.filter((id) => id !== recorded).toSorted())
  })
})
