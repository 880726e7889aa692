/** Every example as it is imported: deployed on the embedded service, its buttons pressed, its end reached. */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { allExamples, exampleFlow, exampleNames, idIn, press } from '../support/node-red/examples.ts'
import { type FlowNode, type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'

describe('the examples', function () {
  this.timeout(60_000)
  let red: NodeRed
  let work: string

  before(async () => {
    // Relative folders of a flow begin where Node-RED runs.
    work = aFolder()
    red = await startNodeRed({ cwd: work })
    await red.deploy(allExamples().map(onFreePort))
    await red.statusOf(idIn('Receive status events', 'countersign-webhook-in'), 'listening')
    // These take as long as the demo signers, so they run beside each other.
    await press(red, 'File drop to signed file', 'Drop a PDF')
    await press(red, 'Receive status events', 'Will be signed')
    await press(red, 'Receive status events', 'Will be rejected')
    await press(red, 'Correct and resend after a rejection', 'Send the order')
    await press(red, 'Reconcile after an outage', '1 Send an order that is signed')
    await press(red, 'Reconcile after an outage', '1 Send an order that fails')
  })
  after(() => red?.stop())
  afterEach(() => {
    for (const name of exampleNames) expect(red.waiting(idIn(name, 'failure')), name).to.deep.equal([])
  })

  /** The embedded service of all of them is on a free port. */
  const onFreePort = (node: FlowNode) => (node.type === 'countersign-service' ? { ...node, port: '0' } : node)
  const at = (example: string, probe: string) => red.next(idIn(example, probe), () => true, 30_000)
  /** All examples share one service, and the one that receives events hears of every task. */
  const inTheInbox = (taskId: unknown) =>
    red.next(idIn('Receive status events', 'in the inbox'), (message) => message.taskId === taskId)

  it('are in the import menu under their names', async () => {
    const library = await (
      await fetch(red.adminUrl('library/examples/flows/@countersign/node-red-document-signature'))
    ).text()
    for (const name of exampleNames) expect(library).to.contain(name)
  })

  it('are arrays that Node-RED can import, without a function node and without a key', () => {
    expect(exampleNames).to.have.length(9)
    const ids = new Map<string, string>()
    for (const name of exampleNames) {
      const flow = exampleFlow(name)
      for (const node of flow) {
        expect(node.type, name).to.not.equal('function')
        expect(node, name).to.not.have.property('credentials')
        if (node.type === 'countersign-service') continue
        expect(ids.get(node.id), `${name}: ${node.id} is in another example`).to.equal(undefined)
        ids.set(node.id, name)
      }
    }
  })

  it('File drop to signed file', async () => {
    const example = 'File drop to signed file'
    const { filename } = await at(example, 'signed file')
    expect(String(filename)).to.match(/countersign-demo[/\\]signed[/\\]order-\d+\.pdf$/)
    expect(readFileSync(String(filename)).subarray(0, 5).toString()).to.equal('%PDF-')
  })

  it('Retract a task', async () => {
    const example = 'Retract a task'
    await press(red, example, '1 Send the order')
    const { taskId } = await at(example, 'sent')
    await inTheInbox(taskId)
    await press(red, example, '2 Retract it')
    expect(await at(example, 'retracted')).to.include({
      taskId,
      status: 'Retracted',
      statusReason: 'A corrected document follows',
    })
  })

  it('Receive status events', async () => {
    const example = 'Receive status events'
    const signed = await at(example, 'signed')
    expect(signed).to.include({ status: 'Completed' })
    await inTheInbox(signed.taskId)
    const other = await red.next(idIn(example, 'other'), ({ status }) => status === 'Rejected')
    await inTheInbox(other.taskId)
  })

  it('Correct and resend after a rejection', async () => {
    const example = 'Correct and resend after a rejection'
    expect(await at(example, 'rejected')).to.include({ status: 'Rejected' })
    const { status, externalDocId } = await at(example, 'end')
    expect([status, String(externalDocId).slice(-3)]).to.deep.equal(['Completed', '.r2'])
  })

  it('Preview the fields of a document', async () => {
    const example = 'Preview the fields of a document'
    await press(red, example, 'An order')
    expect((await at(example, 'fields')).fields).to.be.an('array').that.is.not.empty
  })

  it('Worklist of open tasks', async () => {
    const example = 'Worklist of open tasks'
    await press(red, example, 'Send an order')
    let payload: unknown[] = []
    while (payload.length === 0) {
      await press(red, example, 'What is open?')
      payload = (await at(example, 'worklist')).payload as unknown[]
    }
    expect(payload).to.be.an('array').with.length(1)
    expect((payload as object[])[0]).to.include({ 'days open': 0 })
  })

  it('Reconcile after an outage', async () => {
    const example = 'Reconcile after an outage'
    const { taskId: signed } = await at(example, 'sent')
    const { taskId: failed } = await at(example, 'sent')
    const comesTo = async (probe: string, taskId: unknown) => {
      let message: unknown
      while (!message) {
        // The demo signer takes his time.
        await press(red, example, '2 What is not recorded?')
        message = await red.next(idIn(example, probe), (seen) => seen.taskId === taskId, 2000).catch(() => null)
      }
    }
    await comesTo('recorded', signed)
    await comesTo('acknowledged', failed)
  })

  it('Survive a restart', async () => {
    const example = 'Survive a restart'
    await press(red, example, '1 Send the order of the day')
    const { taskId, duplicate } = await at(example, 'sent')
    expect(duplicate).to.equal(false)
    await inTheInbox(taskId)
    const { userDir, port } = red
    await red.kill()
    red = await startNodeRed({ userDir, port, cwd: work })
    await press(red, example, '1 Send the order of the day')
    expect(await at(example, 'sent')).to.include({ taskId, duplicate: true })
    await press(red, example, '3 Let the signer sign')
    expect(await at(example, 'outcome')).to.include({ taskId, status: 'Completed' })
  })
})
