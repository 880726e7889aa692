/** Every example on a host that is not ours: the service node names it, its profile says how it speaks, and nothing else changes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { eventually } from '../support/eventually.ts'
import { FOREIGN_KEY, type ForeignHost, foreignHost } from '../support/foreign-host/foreign-host.ts'
import { scriptedSigners } from '../support/foreign-host/scripted-signers.ts'
import { allExamples, exampleNames, idIn, press } from '../support/node-red/examples.ts'
import { host as hostNode } from '../support/node-red/flow.ts'
import { type FlowNode, type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'
import { base64, orderPdf } from '../support/pdf/order-pdf.ts'

const profile = readFileSync(join(import.meta.dirname, '../support/foreign-host/acme.json'), 'utf8')

type Message = Record<string, unknown>

describe('the examples on a host that is not ours', function () {
  this.timeout(120_000)
  const work = aFolder()
  let foreign: ForeignHost
  let endSigners: () => void
  let red: NodeRed

  before(async () => {
    foreign = await foreignHost()
    endSigners = scriptedSigners(foreign)
    red = await startNodeRed({ cwd: work })
    const attachment = base64(await orderPdf({ lines: ['Order', '{ACME-signature-owner1}', '{ACME-date-owner1}'] }))
    await red.deploy(allExamples().map((node) => atForeign(node, attachment)))
    for (const example of ['Receive status events', 'Send a document and wait for the signature'])
      await red.statusOf(idIn(example, 'countersign-webhook-in'), 'listening')
  })
  after(async () => {
    await red?.stop()
    endSigners?.()
    await foreign?.stop()
  })

  /** The setting that changes, the address at which this Node-RED is called back, and documents with the tokens of the host. */
  function atForeign(node: FlowNode, attachment: string): FlowNode {
    const { id, type } = node
    const settings = { credentials: { apiKey: FOREIGN_KEY }, timeout: '10', profile }
    if (type === 'countersign-service') return { ...hostNode(foreign.baseUrl, settings), id }
    if (type === 'countersign-webhook-in') return { ...node, publicUrl: red.nodeUrl(String(node.path)) }
    const text = JSON.stringify(node).replace(/"JVBERi[A-Za-z0-9+/=]*"/g, JSON.stringify(attachment))
    const changed = JSON.parse(text) as FlowNode
    return type === 'countersign-preview'
      ? { ...changed, service: idIn('Retract a task', 'countersign-service') }
      : changed
  }

  const at = (example: string, probe: string, accepts: (message: Message) => boolean = () => true) =>
    red.next(idIn(example, probe), accepts, 30_000)
  const statusOf = (taskId: unknown) => foreign.records.tasks.get(Number(taskId))?.status
  const isPending = (taskId: unknown) => eventually(() => expect(statusOf(taskId)).to.equal('Pending'))

  const journeys: Record<string, (example: string) => Promise<void>> = {
    async 'Send a document and wait for the signature'(example) {
      await press(red, example, 'Send the order')
      const { taskId } = await at(example, '1 created')
      const isSigned = (message: Message) => message.taskId === taskId && message.status === 'Completed'
      await at(example, '2 status event', isSigned)
      const { externalSavedDocumentId, payload } = await at(example, '3 recorded')
      expect((payload as Buffer).subarray(0, 5).toString()).to.equal('%PDF-')
      expect(foreign.records.tasks.get(Number(taskId))!.savedId).to.equal(externalSavedDocumentId)
    },

    async 'File drop to signed file'(example) {
      await press(red, example, 'Drop a PDF')
      const { filename } = await at(example, 'signed file')
      expect(readFileSync(String(filename)).subarray(0, 5).toString()).to.equal('%PDF-')
    },

    async 'Retract a task'(example) {
      await press(red, example, '1 Send the order')
      const { taskId } = await at(example, 'sent')
      await isPending(taskId)
      await press(red, example, '2 Retract it')
      const retracted = { taskId, status: 'Retracted', statusReason: 'A corrected document follows' }
      expect(await at(example, 'retracted')).to.include(retracted)
    },

    async 'Receive status events'(example) {
      const before = new Set(foreign.records.tasks.keys())
      await press(red, example, 'Will be signed')
      await press(red, example, 'Will be rejected')
      // It hears of the tasks of all examples.
      const isNew = ({ taskId }: Message) => !before.has(Number(taskId))
      const signed = await at(example, 'signed', isNew)
      expect(statusOf(signed.taskId)).to.equal('Completed')
      const other = await at(example, 'other', (message) => isNew(message) && message.status === 'Rejected')
      expect(statusOf(other.taskId)).to.equal('Rejected')
    },

    async 'Correct and resend after a rejection'(example) {
      await press(red, example, 'Send the order')
      expect(await at(example, 'rejected')).to.include({ status: 'Rejected' })
      const { status, externalDocId } = await at(example, 'end')
      expect([status, String(externalDocId).slice(-3)]).to.deep.equal(['Completed', '.r2'])
    },

    async 'Preview the fields of a document'(example) {
      await press(red, example, 'An order')
      const { fields } = await at(example, 'fields')
      expect(fields).to.be.an('array').with.lengthOf(2)
    },

    async 'Worklist of open tasks'(example) {
      await press(red, example, 'Send an order')
      const { taskId } = await eventually(() => {
        const idle = [...foreign.records.tasks.values()].find(({ status }) => status === 'Pending')
        expect(idle).to.be.an('object')
        return idle!
      })
      await press(red, example, 'What is open?')
      const { payload } = await at(example, 'worklist')
      expect((payload as object[]).find((row) => 'task' in row && row.task === taskId)).to.include({ 'days open': 0 })
    },

    async 'Reconcile after an outage'(example) {
      await press(red, example, '1 Send an order that is signed')
      const { taskId } = await at(example, 'sent')
      await eventually(() => expect(statusOf(taskId)).to.equal('Completed'), 30_000)
      await press(red, example, '2 What is not recorded?')
      await at(example, 'recorded', (message) => message.taskId === taskId)
      expect(foreign.records.tasks.get(Number(taskId))!.savedId).to.match(/^RECONCILED-/)
    },

    async 'Survive a restart'(example) {
      await press(red, example, '1 Send the order of the day')
      const { taskId } = await at(example, 'sent')
      await isPending(taskId)
      const { userDir, port } = red
      await red.kill()
      red = await startNodeRed({ userDir, port, cwd: work })
      await press(red, example, '1 Send the order of the day')
      expect(await at(example, 'sent')).to.include({ taskId, duplicate: true })
      // There is no sandbox whose signers a flow could move: here a person signs.
      await foreign.signs(Number(taskId))
      expect(await at(example, 'outcome')).to.include({ taskId, status: 'Completed' })
    },
  }

  it('are all here', () => {
    expect(Object.keys(journeys).sort()).to.deep.equal([...exampleNames].sort())
  })

  for (const [example, journey] of Object.entries(journeys))
    it(example, async () => {
      await journey(example)
      expect(red.waiting(idIn(example, 'failure'))).to.deep.equal([])
    })
})
