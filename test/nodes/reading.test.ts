/** Read, list, look up, and the signer of a sandbox, in a real Node-RED against the real service. */
import { expect } from 'chai'
import { aGateway } from '../support/network/a-gateway.ts'
import { freePort } from '../support/network/free-port.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, flow, host, list, lookUp, operation, read, signer } from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'
import { aCreatedTask } from '../support/service/a-created-task.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'
import { anOrder, SIGNER } from '../support/service/order.ts'

describe('the nodes that read, and the signer', function () {
  this.timeout(30_000)
  let red: NodeRed
  let service: HostedService
  const everything = () => [
    ...createTask(),
    ...read(),
    ...list(),
    ...lookUp(),
    ...signer(),
    ...operation('types', 'look-up', { what: 'documentTypes' }, 2),
    ...operation('templates', 'look-up', { what: 'templates' }, 2),
  ]

  before(async () => {
    service = await hostedService()
    red = await aNodeRed()
    await red.deploy(flow(service.node(), ...everything()))
  })
  after(async () => {
    await red?.stop()
    await service?.stop()
  })

  const createdTask = () => aCreatedTask(red, service)

  it('reads a task', async () => {
    const { taskId, externalDocId } = await createdTask()
    red.inject('read', { taskId, topic: 'kept' })
    const message = await red.next('read.0')
    expect(message).to.include({ taskId, externalDocId, status: 'Pending', topic: 'kept' })
    expect(message.documentId).to.be.a('number')
    expect(message.payload).to.include({ taskId, status: 'Pending' })
    red.inject('read', { taskId: 987654 })
    const { error, statusCode, errors } = await red.next('caught')
    expect([error?.code, statusCode]).to.deep.equal(['REFUSED', 404])
    // A message that is sent again after it was mended tells of no failure any more.
    red.inject('read', { taskId, statusCode, errors })
    expect(await red.next('read.0')).to.not.have.any.keys('errors', 'statusCode', 'error')
  })

  it('signs and rejects, each only once', async () => {
    const { taskId } = await createdTask()
    red.inject('signer', { taskId })
    await red.next('signer.0')
    expect(await service.statusOf(taskId)).to.equal('Completed')
    red.inject('signer', { taskId })
    expect((await red.next('caught')).error).to.include({ code: 'NOT_PENDING' })
  })

  it('tells that a host is not a sandbox', async () => {
    const noSandbox = service.node({ baseUrl: `${service.baseUrl}/nothing-below-here` })
    await red.deploy(flow(noSandbox, ...signer()))
    red.inject('signer', { taskId: 1001 })
    expect((await red.next('caught')).error).to.include({ code: 'NO_SANDBOX' })
    await red.deploy(flow(service.node(), ...everything()))
  })

  it('finds a provider, and tells when there is none', async () => {
    red.inject('look-up', { userNPI: SIGNER.signs })
    expect((await red.next('look-up.0')).payload).to.include({ npi: SIGNER.signs, lastName: 'Marsh' })
    red.inject('look-up', { userNPI: SIGNER.unknown })
    expect((await red.next('look-up.1')).payload).to.equal(null)
    await red.statusOf('look-up', 'not found')
    red.inject('look-up', { userNPI: '123' })
    expect((await red.next('caught')).errors).to.deep.equal(['npi: exactly 10 digits (NPI: from msg.userNPI)'])
  })

  it('lists document types and templates', async () => {
    red.inject('types')
    expect((await red.next('types.0')).payload).to.deep.include({
      id: 104,
      name: 'Physician Order (verbal)',
      category: 'Order',
    })
    red.inject('templates')
    expect((await red.next('templates.0')).payload).to.be.an('array').that.is.not.empty
  })

  it('lists the tasks that match a filter, or all of them over several pages', async () => {
    const { taskId, externalDocId } = await createdTask()
    red.inject('list', { externalDocId })
    const one = await red.next('list.0')
    expect((one.payload as { taskId: number }[]).map((task) => task.taskId)).to.deep.equal([taskId])
    expect(one.isComplete).to.equal(true)
    for (let made = 0; made < 110; made += 1) red.inject('create', anOrder())
    for (let made = 0; made < 110; made += 1) await red.next('create.0')
    red.inject('list', {})
    const all = (await red.next('list.0')).payload as { taskId: number }[]
    expect(all.length).to.be.greaterThan(110)
    expect(new Set(all.map((task) => task.taskId)).size).to.equal(all.length)
  })

  it('asks for pages, unless its form says that the host has none', async () => {
    const gateway = await aGateway(service.baseUrl)
    try {
      for (const [paging, query] of [
        [true, '?limit=100'],
        [false, ''],
      ] as const) {
        gateway.passed.length = 0
        await red.deploy(flow(service.node({ baseUrl: gateway.baseUrl }), ...list({ paging })))
        red.inject('list', {})
        await red.next('list.0')
        const listed = gateway.passed.map(({ url }) => url).filter((url) => url.startsWith('/api/v1/signature/tasks'))
        expect(listed[0]).to.equal(`/api/v1/signature/tasks${query}`)
      }
    } finally {
      await gateway.stop()
      await red.deploy(flow(service.node(), ...everything()))
    }
  })

  it('sends a sequence that can be joined', async () => {
    const { taskId } = await createdTask()
    await service.signs(taskId)
    const [node, ...probes] = list({ deliver: 'sequence', taskStatus: 'Completed', paging: false })
    await red.deploy(
      flow(service.node(), node!, ...probes, ...everything().filter(({ id }) => !id.startsWith('list'))),
      'nodes',
    )
    red.inject('list', { topic: 'kept' })
    const first = await red.next('list.0')
    const { count, id } = first.parts as { count: number; id: string }
    const others = await Promise.all(Array.from({ length: count - 1 }, () => red.next('list.0')))
    const indexes = [first, ...others].map(({ parts }) => (parts as { index: number }).index)
    expect(indexes).to.have.members(Array.from({ length: count }, (_, index) => index))
    for (const message of [first, ...others]) {
      expect(message).to.include({ topic: 'kept', status: 'Completed' })
      expect(message.parts).to.include({ id })
    }
  })

  it('rejects with the reason of the message', async () => {
    await red.deploy(flow(service.node(), ...createTask(), ...signer({ act: 'reject' })), 'nodes')
    const { taskId } = await createdTask()
    red.inject('signer', { taskId, reason: 'Not my patient' })
    await red.next('signer.0')
    const task = await service.client.readTask({ params: { id: taskId } })
    expect([task.status, task.statusReason]).to.deep.equal(['Rejected', 'Not my patient'])
    await red.statusOf('signer', 'rejected')
  })

  it('says that nobody answers', async () => {
    await red.deploy(flow(host(`http://127.0.0.1:${await freePort()}`), ...everything()))
    for (const id of ['read', 'list', 'look-up', 'types', 'templates', 'signer']) {
      red.inject(id, { taskId: 1, userNPI: SIGNER.signs })
      expect((await red.next('caught')).error, id).to.include({ code: 'ECONNREFUSED' })
      await red.statusOf(id, 'unreachable')
    }
  })
})
