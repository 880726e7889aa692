/** What leaves a node by an output that leads nowhere, in a real Node-RED: an error for Catch nodes, and a status that is not green. */
import { expect } from 'chai'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, flow, orderFromHl7, reconcile, retract, wait } from '../support/node-red/flow.ts'
import type { FlowNode, NodeRed } from '../support/node-red/node-red.ts'
import { aCreatedTask } from '../support/service/a-created-task.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'

/** The nodes of an operation, with some of its outputs wired to nothing. */
const unwired = (nodes: FlowNode[], ...outputs: number[]): FlowNode[] =>
  nodes.map((node) =>
    Array.isArray(node.wires)
      ? { ...node, wires: node.wires.map((wires: string[], index) => (outputs.includes(index) ? [] : wires)) }
      : node,
  )

describe('an output that leads nowhere', function () {
  this.timeout(40_000)
  let red: NodeRed
  let service: HostedService

  before(async () => {
    service = await hostedService()
    red = await aNodeRed()
    await red.deploy(
      flow(
        service.node(),
        ...createTask(),
        ...retract(),
        ...unwired(wait(), 1, 2, 3),
        ...unwired(reconcile(), 1, 2),
        ...unwired(orderFromHl7({}), 1, 2),
      ),
    )
  })
  after(async () => {
    await red?.stop()
    await service?.stop()
  })

  const lostAt = async (node: string) => {
    const message = await red.next('caught', ({ error }) => error?.source?.id === node)
    expect(message.error).to.include({ code: 'NOT_WIRED' })
    return message
  }

  it('reports a rejection and a retraction, each with its message, as errors of the wait node', async () => {
    const rejected = (await aCreatedTask(red, service)).taskId
    await service.rejects(rejected, 'Not my patient')
    red.inject('wait', { taskId: rejected, topic: 'kept' })
    const rejection = await lostAt('wait')
    expect(rejection).to.include({ taskId: rejected, status: 'Rejected', topic: 'kept' })
    expect(rejection.error?.message).to.contain('output 2')
    await red.statusOf('wait', 'output not wired')

    const retracted = (await aCreatedTask(red, service)).taskId
    await service.client.retractTask({ params: { id: retracted } })
    red.inject('wait', { taskId: retracted })
    expect((await lostAt('wait')).error?.message).to.contain('output 3')
  })

  it('says nothing of an output that is wired', async () => {
    const { taskId } = await aCreatedTask(red, service, 'Completed')
    red.inject('wait', { taskId })
    expect(await red.next('wait.0')).to.include({ taskId })
    await red.statusOf('wait', 'completed')
    expect(red.waiting('caught')).to.deep.equal([])
  })

  it('reports an unrecorded rejection as an error of the reconcile node', async () => {
    const { taskId } = await aCreatedTask(red, service)
    await service.rejects(taskId, 'Not my patient')
    red.inject('reconcile', {})
    const message = await red.next('caught', (caught) => caught.taskId === taskId)
    expect(message.error).to.include({ code: 'NOT_WIRED' })
    await red.statusOf('reconcile', 'output not wired')
  })

  it('reports a message that could not be mapped, with its payload', async () => {
    const payload = 'MSH|^~\\&|EHR|NORTH|SIG|HUB|20260101||MDM^T02|7|P|2.5\rEVN|T02\rPID|1||1'
    red.inject('order-from-hl7', { payload })
    expect(await lostAt('order-from-hl7')).to.include({ payload })
    await red.statusOf('order-from-hl7', 'output not wired')
  })

  it('counts a wire to a disabled node as none', async () => {
    const nodes = flow(service.node(), ...createTask(), ...wait()).map((node) =>
      node.id === 'wait.1' ? { ...node, d: true } : node,
    )
    await red.deploy(nodes)
    const { taskId } = await aCreatedTask(red, service)
    await service.rejects(taskId, 'Not my patient')
    red.inject('wait', { taskId })
    expect(await lostAt('wait')).to.include({ taskId })
  })

  it('shows each outcome in its own color', async () => {
    await red.deploy(flow(service.node(), ...createTask(), ...wait()))
    const rejected = (await aCreatedTask(red, service)).taskId
    await service.rejects(rejected, 'Not my patient')
    red.inject('wait', { taskId: rejected })
    await red.next('wait.1')
    expect(await red.statusOf('wait', 'rejected')).to.include({ fill: 'yellow' })
    const retracted = (await aCreatedTask(red, service)).taskId
    await service.client.retractTask({ params: { id: retracted } })
    red.inject('wait', { taskId: retracted })
    await red.next('wait.2')
    expect(await red.statusOf('wait', 'retracted')).to.include({ fill: 'yellow' })
    const signed = (await aCreatedTask(red, service, 'Completed')).taskId
    red.inject('wait', { taskId: signed })
    await red.next('wait.0')
    expect(await red.statusOf('wait', 'completed')).to.include({ fill: 'green' })
  })
})
