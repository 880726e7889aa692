/** Every example as it is imported: deployed on the embedded service, its buttons pressed, its end reached. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { root } from '../support/built.ts'
import { type FlowNode, type NodeRed, startNodeRed } from '../support/node-red.ts'

const folder = join(root, 'examples')
const load = (name: string): FlowNode[] => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))

describe('the examples', function () {
  this.timeout(60_000)
  let red: NodeRed
  let work: string

  before(async () => {
    // Relative folders of a flow begin where Node-RED runs.
    work = mkdtempSync(join(tmpdir(), 'countersign-examples-'))
    red = await startNodeRed({ cwd: work })
  })
  after(async () => {
    await red?.stop()
    rmSync(work, { recursive: true, force: true })
  })

  /** Deploys an example with probes for its debug nodes; gives what presses a button and what waits at a probe. */
  async function run(name: string) {
    const flow = load(name)
    for (const node of flow) {
      if (node.type === 'countersign-service') Object.assign(node, { port: '0', data: join(work, name) })
      if (node.type === 'debug') node.type = 'probe'
    }
    await red.deploy(flow)
    const idOf = (called: string) => flow.find((node) => node.name === called)!.id
    const ready = flow.find((node) => /^countersign-(create-task|webhook-in)$/.test(node.type))!
    await red.statusOf(ready.id, ready.type === 'countersign-webhook-in' ? 'listening' : 'simulated signers')
    return {
      press: (button: string) => fetch(red.adminUrl(`inject/${idOf(button)}`), { method: 'POST' }),
      at: (probe: string) => red.next(idOf(probe), () => true, 30_000),
      failures: () => red.waiting(idOf('failure')),
    }
  }

  it('are arrays that Node-RED can import, without a function node and without a key', () => {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
    expect(names).to.have.length(7)
    const ids = new Map<string, string>()
    for (const name of names) {
      const flow = load(name.replace('.json', ''))
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
    const { press, at, failures } = await run('File drop to signed file')
    await press('Drop a PDF')
    const { filename } = await at('signed file')
    expect(String(filename)).to.match(/countersign-demo[/\\]signed[/\\]order-\d+\.pdf$/)
    expect(readFileSync(String(filename)).subarray(0, 5).toString()).to.equal('%PDF-')
    expect(failures()).to.deep.equal([])
  })

  it('Retract a task', async () => {
    const { press, at, failures } = await run('Retract a task')
    await press('1 Send the order')
    const { taskId } = await at('sent')
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await press('2 Retract it')
    expect(await at('retracted')).to.include({
      taskId,
      status: 'Retracted',
      statusReason: 'A corrected document follows',
    })
    expect(failures()).to.deep.equal([])
  })

  it('Receive status events', async () => {
    const { press, at, failures } = await run('Receive status events')
    await press('Will be signed')
    await press('Will be rejected')
    await at('in the inbox')
    await at('in the inbox')
    expect(await at('signed')).to.include({ status: 'Completed' })
    expect(await at('other')).to.include({ status: 'Rejected' })
    expect(failures()).to.deep.equal([])
  })

  it('Correct and resend after a rejection', async () => {
    const { press, at, failures } = await run('Correct and resend after a rejection')
    await press('Send the order')
    expect(await at('rejected')).to.include({ status: 'Rejected' })
    const { status, externalDocId } = await at('end')
    expect([status, String(externalDocId).slice(-3)]).to.deep.equal(['Completed', '.r2'])
    expect(failures()).to.deep.equal([])
  })

  it('Worklist of open tasks', async () => {
    const { press, at, failures } = await run('Worklist of open tasks')
    await press('Send an order')
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await press('What is open?')
    const { payload } = await at('worklist')
    expect(payload).to.be.an('array').with.length(1)
    expect((payload as object[])[0]).to.include({ 'days open': 0 })
    expect(failures()).to.deep.equal([])
  })

  it('Survive a restart', async () => {
    const name = 'Survive a restart'
    const before = await run(name)
    await before.press('1 Send the order of the day')
    const { taskId, duplicate } = await before.at('sent')
    expect(duplicate).to.equal(false)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const { userDir, port } = red
    await red.kill()
    red = await startNodeRed({ userDir, port, cwd: work })
    const idOf = (called: string) => load(name).find((node) => node.name === called)!.id
    const press = (button: string) => fetch(red.adminUrl(`inject/${idOf(button)}`), { method: 'POST' })
    await press('1 Send the order of the day')
    expect(await red.next(idOf('sent'))).to.include({ taskId, duplicate: true })
    await press('3 Let the signer sign')
    expect(await red.next(idOf('outcome'))).to.include({ taskId, status: 'Completed' })
    expect(red.waiting(idOf('failure'))).to.deep.equal([])
  })
})
