/** The first example, as it is imported: from the inject button to the signed PDF and the recorded id, on real parts. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { root } from '../support/built.ts'
import { type FlowNode, startNodeRed } from '../support/node-red/node-red.ts'

const file = join(root, 'examples/Send a document and wait for the signature.json')

/** The example with a free port for its service, and probes beside its debug nodes. */
function example(): { flow: FlowNode[]; id: (type: string) => string } {
  const flow: FlowNode[] = JSON.parse(readFileSync(file, 'utf8'))
  const id = (type: string) => flow.find((node) => node.type === type)!.id
  for (const node of flow) {
    if (node.type === 'countersign-service') node.port = '0'
    if (node.type === 'debug') node.type = 'probe'
  }
  return { flow, id }
}

const ADMIN_ROOTS = ['/', '/admin']

describe('the first example', function () {
  this.timeout(60_000)
  const runs = new Map<string, Promise<void>>()

  // The demo signer takes his time, so both run beside each other.
  before(() => {
    for (const adminRoot of ADMIN_ROOTS) runs.set(adminRoot, journey(adminRoot))
    for (const run of runs.values()) run.catch(() => {})
  })

  for (const adminRoot of ADMIN_ROOTS)
    it(`goes from the button to the signed PDF and the recorded id, with httpAdminRoot ${adminRoot}`, () =>
      runs.get(adminRoot))
})

async function journey(adminRoot: string) {
  const red = await startNodeRed({ adminRoot })
  try {
    const { flow, id } = example()
    const probe = (name: string) => flow.find((node) => node.type === 'probe' && node.name === name)!.id
    await red.deploy(flow)
    await red.statusOf(id('countersign-webhook-in'), 'listening')
    const started = Date.now()
    const pressed = await fetch(red.adminUrl(`inject/${id('inject')}`), { method: 'POST' })
    expect(pressed.status).to.equal(200)

    const created = await red.next(probe('1 created'))
    expect(created).to.include({ status: 'Received', duplicate: false })
    expect(created).to.not.have.property('payload')
    const pending = await red.next(probe('2 status event'))
    expect(pending).to.include({ taskId: created.taskId, status: 'Pending' })

    const recorded = await red.next(probe('3 recorded'), () => true, 30_000)
    const completed = await red.next(probe('2 status event'), ({ status }) => status === 'Completed')
    expect(completed.taskId).to.equal(created.taskId)
    const pdf = recorded.payload as Buffer
    expect(pdf.subarray(0, 5).toString()).to.equal('%PDF-')
    expect(recorded).to.include({ taskId: created.taskId, status: 'Completed', repeated: false, size: pdf.length })
    expect(recorded.sha256).to.equal(createHash('sha256').update(pdf).digest('hex'))
    expect(recorded.externalSavedDocumentId).to.match(/^SAVED-/)
    expect(Date.now() - started).to.be.greaterThan(9000)
    expect(red.waiting(probe('failure'))).to.deep.equal([])
    for (const [type, text] of Object.entries({
      'create-task': 'created',
      wait: 'acknowledged',
      download: 'downloaded',
    }))
      await red.statusOf(id(`countersign-${type}`), text)
    await red.statusOf(id('countersign-record'), 'recorded')
  } finally {
    await red.stop()
  }
}
