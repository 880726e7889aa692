/** Every example as it is imported: deployed on the embedded service, its buttons pressed, its end reached. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { root } from '../support/built.ts'
import { type FlowNode, type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'

const folder = join(root, 'examples')
const load = (name: string): FlowNode[] => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))

const names = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace('.json', ''))

describe('the examples', function () {
  this.timeout(60_000)
  let red: NodeRed
  let work: string

  before(async () => {
    // Relative folders of a flow begin where Node-RED runs.
    work = aFolder()
    red = await startNodeRed({ cwd: work })
    await red.deploy(allAtOnce())
    await red.statusOf(idOf('Receive status events', 'countersign-webhook-in'), 'listening')
    // These take as long as the demo signers, so they run beside each other.
    await press('File drop to signed file', 'Drop a PDF')
    await press('Receive status events', 'Will be signed')
    await press('Receive status events', 'Will be rejected')
    await press('Correct and resend after a rejection', 'Send the order')
  })
  after(() => red?.stop())
  afterEach(() => {
    for (const name of names) expect(red.waiting(idOf(name, 'failure')), name).to.deep.equal([])
  })

  /** All examples imported into one Node-RED: they share one service, on a free port, and have probes for debug nodes. */
  function allAtOnce(): FlowNode[] {
    const flows = names.flatMap(load)
    const nodes = [...new Map(flows.map((node) => [node.id, node])).values()]
    for (const node of nodes) {
      if (node.type === 'countersign-service') node.port = '0'
      if (node.type === 'debug') node.type = 'probe'
    }
    return nodes
  }
  const idOf = (example: string, called: string) =>
    load(example).find(({ name, type }) => name === called || type === called)!.id
  const press = (example: string, button: string) =>
    fetch(red.adminUrl(`inject/${idOf(example, button)}`), { method: 'POST' })
  const at = (example: string, probe: string) => red.next(idOf(example, probe), () => true, 30_000)
  /** All examples share one service, and the one that receives events hears of every task. */
  const inTheInbox = (taskId: unknown) =>
    red.next(idOf('Receive status events', 'in the inbox'), (message) => message.taskId === taskId)

  it('are in the import menu under their names', async () => {
    const library = await (
      await fetch(red.adminUrl('library/examples/flows/@countersign/node-red-document-signature'))
    ).text()
    for (const name of names) expect(library).to.contain(name)
  })

  it('are arrays that Node-RED can import, without a function node and without a key', () => {
    expect(names).to.have.length(8)
    const ids = new Map<string, string>()
    for (const name of names) {
      const flow = load(name)
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
    await press(example, '1 Send the order')
    const { taskId } = await at(example, 'sent')
    await inTheInbox(taskId)
    await press(example, '2 Retract it')
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
    const other = await red.next(idOf(example, 'other'), ({ status }) => status === 'Rejected')
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
    await press(example, 'An order')
    expect((await at(example, 'fields')).fields).to.be.an('array').that.is.not.empty
  })

  it('Worklist of open tasks', async () => {
    const example = 'Worklist of open tasks'
    await press(example, 'Send an order')
    let payload: unknown[] = []
    while (payload.length === 0) {
      await press(example, 'What is open?')
      payload = (await at(example, 'worklist')).payload as unknown[]
    }
    expect(payload).to.be.an('array').with.length(1)
    expect((payload as object[])[0]).to.include({ 'days open': 0 })
  })

  it('Survive a restart', async () => {
    const example = 'Survive a restart'
    await press(example, '1 Send the order of the day')
    const { taskId, duplicate } = await at(example, 'sent')
    expect(duplicate).to.equal(false)
    await inTheInbox(taskId)
    const { userDir, port } = red
    await red.kill()
    red = await startNodeRed({ userDir, port, cwd: work })
    await press(example, '1 Send the order of the day')
    expect(await at(example, 'sent')).to.include({ taskId, duplicate: true })
    await press(example, '3 Let the signer sign')
    expect(await at(example, 'outcome')).to.include({ taskId, status: 'Completed' })
  })
})
