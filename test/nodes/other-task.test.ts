/** A task id that means another task than its message: at another service, or of another document. In a real Node-RED with two services. */
import { expect } from 'chai'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, done, download, flow, read, record, retract, signer, wait } from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'
import { aCreatedTask } from '../support/service/a-created-task.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'
import { anOrder } from '../support/service/order.ts'

/** The nodes that act on a task id, with what else each one needs. */
const ACTS: Record<string, object> = {
  wait: {},
  download: {},
  retract: {},
  record: { savedId: 'DMS-1' },
  read: {},
  signer: {},
  done: {},
}
/** Acknowledging an outcome calls no service, so it cannot know of which document a task is. */
const CALLING = Object.entries(ACTS).filter(([node]) => node !== 'done')

describe('a task id of something else', function () {
  this.timeout(60_000)
  let red: NodeRed
  let ours: HostedService
  let theirs: HostedService

  before(async () => {
    ours = await hostedService()
    theirs = await hostedService()
    red = await aNodeRed()
    const nodes = [
      ...createTask(),
      ...wait(),
      ...download(),
      ...retract(),
      ...record(),
      ...read(),
      ...signer(),
      ...done(),
    ]
    const other = createTask().map(({ id, wires, ...node }) => ({
      ...node,
      id: id.replace('create', 'elsewhere'),
      ...(node.type === 'countersign-create-task' && { service: 'other', wires: [['elsewhere.0']] }),
    }))
    await red.deploy(flow(ours.node(), { ...theirs.node(), id: 'other' }, ...nodes, ...other))
  })
  after(async () => {
    await red?.stop()
    await ours?.stop()
    await theirs?.stop()
  })

  const refused = async (node: string, code: string) => {
    const { error } = await red.next('caught', (caught) => caught.error?.source?.id === node)
    expect(error, node).to.include({ code })
  }

  it('is refused by every node when the message comes from another service', async () => {
    const { taskId } = await aCreatedTask(red, ours)
    const { signatureService } = await fromElsewhere()
    expect(signatureService).to.be.a('string').with.length(64)
    for (const [node, more] of Object.entries(ACTS)) {
      red.inject(node, { taskId, signatureService, ...more })
      await refused(node, 'OTHER_SERVICE')
      await red.statusOf(node, 'other service')
    }
    expect(await ours.statusOf(taskId)).to.equal('Pending')
  })

  /** What create task sets, at the other service. */
  async function fromElsewhere() {
    red.inject('elsewhere', anOrder())
    return red.next('elsewhere.0')
  }

  it('is refused by every node that calls the service when the task was created for another document', async () => {
    const { taskId } = await aCreatedTask(red, ours)
    for (const [node, more] of CALLING.filter(([name]) => !['wait', 'download'].includes(name))) {
      red.inject(node, { taskId, externalDocId: 'ANOTHER-DOCUMENT', ...more })
      await refused(node, 'OTHER_DOCUMENT')
    }
    expect(await ours.statusOf(taskId)).to.equal('Pending')
    await ours.signs(taskId)
    for (const node of ['wait', 'download']) {
      red.inject(node, { taskId, externalDocId: 'ANOTHER-DOCUMENT' })
      await refused(node, 'OTHER_DOCUMENT')
      expect(red.waiting(`${node}.0`)).to.deep.equal([])
    }
  })

  it('is taken when service and document are those of the message, and by its number alone', async () => {
    const { taskId, externalDocId } = await aCreatedTask(red, ours)
    red.inject('read', { taskId, externalDocId })
    const { signatureService } = await red.next('read.0')
    red.inject('read', { taskId, externalDocId, signatureService })
    expect(await red.next('read.0')).to.include({ taskId })
    red.inject('retract', { taskId, externalDocId, signatureService })
    expect(await red.next('retract.0')).to.include({ taskId, status: 'Retracted', signatureService })
    red.inject('wait', { taskId })
    expect(await red.next('wait.2')).to.include({ taskId, externalDocId, signatureService })
  })
})
