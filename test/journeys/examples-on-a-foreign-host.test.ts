/** Every example on a host that is not ours: the service node names it, its profile says how it speaks, and nothing else changes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { eventually } from '../support/eventually.ts'
import { FOREIGN_KEY, type ForeignHost, foreignHost } from '../support/foreign-host/foreign-host.ts'
import { type ScriptedSigners, scriptedSigners } from '../support/foreign-host/scripted-signers.ts'
import { freePort } from '../support/network/free-port.ts'
import { allExamples, exampleNames, idIn, press } from '../support/node-red/examples/examples.ts'
import { isReplaced } from '../support/node-red/examples/replaced.ts'
import { host as hostNode } from '../support/node-red/flow.ts'
import { type FlowNode, type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'
import { patience } from '../support/patience.ts'
import { base64, orderPdf } from '../support/pdf/order-pdf.ts'

const profile = readFileSync(join(import.meta.dirname, '../support/foreign-host/acme.json'), 'utf8')

type Message = Record<string, unknown>

describe('the examples on a host that is not ours', function () {
  this.timeout(120_000)
  const work = aFolder()
  let foreign: ForeignHost
  let signers: ScriptedSigners
  let red: NodeRed
  let mllpPort: string

  before(async () => {
    foreign = await foreignHost()
    signers = scriptedSigners(foreign)
    red = await startNodeRed({ cwd: work })
    const attachment = base64(await orderPdf({ lines: ['Order', '{ACME-signature-owner1}', '{ACME-date-owner1}'] }))
    mllpPort = String(await freePort())
    const nodes = allExamples().map((node) => atForeign(node, attachment))
    const connection = hostNode(foreign.baseUrl, { credentials: { apiKey: FOREIGN_KEY }, timeout: '30', profile })
    await red.deploy([connection, ...nodes.filter(({ type }) => type !== 'countersign-service')])
    for (const example of ['Receive status events', 'Send a document and wait for the signature'])
      await red.statusOf(idIn(example, 'countersign-webhook-in'), 'listening')
  })
  after(async () => {
    await red?.stop()
    signers?.end()
    await foreign?.stop()
  })

  /**
   * What differs from host to host: the one service, the address at which this Node-RED is called back, documents with the tokens
   * of the host, its catalogue, and coordinates from its origin.
   */
  function atForeign(node: FlowNode, attachment: string): FlowNode {
    const text = JSON.stringify(node)
      .replace(/"JVBERi[A-Za-z0-9+/=]*"/g, JSON.stringify(attachment))
      .replace('Physician Order (verbal)', 'Order')
      .replace("summary='Verbal order'", 'pdfRequired')
      .replaceAll('"num","value":"264"', '"num","value":"528"')
      .replaceAll('"num","value":"284"', '"num","value":"508"')
      .replaceAll('"num","value":"304"', '"num","value":"488"')
    const changed = { ...(JSON.parse(text) as FlowNode), service: 'service' }
    if (node.type === 'http request') return { ...changed, url: red.nodeUrl('countersign/orders') }
    if (['countersign-mllp-in', 'countersign-mllp-out'].includes(node.type)) return { ...changed, port: mllpPort }
    return node.type === 'countersign-webhook-in' ? { ...changed, publicUrl: red.nodeUrl(String(node.path)) } : changed
  }

  const at = (example: string, probe: string, accepts: (message: Message) => boolean = () => true) =>
    red.next(idIn(example, probe), accepts, 30_000)
  const documentOf = (taskId: unknown) => foreign.records.tasks.get(Number(taskId))!.body.document as Message
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

    async 'Retract an order and send its correction'(example) {
      await press(red, example, '1 Send the order')
      const { taskId } = await at(example, 'sent')
      await isPending(taskId)
      await press(red, example, '2 Retract and correct it')
      const retracted = { taskId, status: 'Retracted', statusReason: 'A corrected document follows' }
      expect(await at(example, 'retracted')).to.include(retracted)
      expect((await at(example, 'signed')).externalDocId).to.match(/\.r2$/)
    },

    async 'Replace an order that was sent'(example) {
      await press(red, example, '1 Send the order')
      await isReplaced(red, isPending)
    },

    async 'Record a rejection'(example) {
      await press(red, example, 'Send the order')
      const { taskId } = await at(example, 'recorded')
      expect(foreign.records.tasks.get(Number(taskId))!.savedId).to.match(/^REJECTION-/)
    },

    async 'Archive and file the signed PDF'(example) {
      await press(red, example, 'Send the order')
      const { taskId, filename } = await at(example, 'filed')
      expect(readFileSync(String(filename)).subarray(0, 5).toString()).to.equal('%PDF-')
      expect(foreign.records.tasks.get(Number(taskId))!.savedId).to.equal(filename)
    },

    async 'Choose document type and template by name'(example) {
      await press(red, example, 'Send the order')
      const { taskId, templateId } = await at(example, 'sent')
      expect(templateId).to.equal(4_000_000_001)
      expect(documentOf(taskId)).to.include({ documentTypeId: 70_000_000_001 })
    },

    async 'Place the fields in four ways'(example) {
      const placed: unknown[] = []
      for (const button of ['Tokens', 'Template', 'Text', 'Coordinates']) {
        await press(red, example, button)
        placed.push((documentOf((await at(example, 'signed')).taskId).annotations as Message).type)
      }
      expect(placed).to.deep.equal(['SmartAnnotations', 'Template', 'ReferenceText', 'Json'])
    },

    async 'See why an order failed or waits for review'(example) {
      const sign = signers.hold()
      await press(red, example, '2 Will be reviewed')
      expect(await at(example, 'under way')).to.include({ status: 'Pending' })
      sign()
      expect(await at(example, 'signed')).to.include({ status: 'Completed' })
    },

    async 'Send for several organizations'(example) {
      for (const organization of ['Willow Creek', 'Northfield']) {
        await press(red, example, `Order of ${organization}`)
        expect(await at(example, 'signed')).to.include({ organization, status: 'Completed' })
      }
    },

    async 'Answer an HTTP request with the signed PDF'() {
      const headers = { 'content-type': 'application/octet-stream' }
      const body = new Uint8Array(await orderPdf())
      const response = await fetch(red.nodeUrl('countersign/sign?order=HTTP-1'), { method: 'POST', headers, body })
      expect(await response.json()).to.include({ status: 'Completed' })
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

    async 'FHIR round trip'(example) {
      await press(red, example, 'Send the order')
      const { payload } = await at(example, 'in FHIR')
      expect(payload).to.include({ resourceType: 'DocumentReference', docStatus: 'final' })
    },

    async 'Send an order from HL7'(example) {
      await press(red, example, 'Send the order')
      expect(await at(example, 'signed')).to.include({ status: 'Completed' })
      await press(red, example, 'Send an unknown code')
      expect((await at(example, 'held')).held).to.have.lengthOf(1)
    },

    async 'Correct an order that was held'(example) {
      await press(red, example, '1 Send an unknown code')
      await red.statusOf(idIn(example, 'countersign-held'), '1 held')
      await press(red, example, '2 Correct and resend')
      expect((await at(example, 'sent')).externalDocId).to.match(/^EPIC\|HL7-/)
    },

    async 'Orders from a folder'(example) {
      await press(red, example, 'Drop a document')
      const { filename } = await at(example, 'signed file')
      expect(readFileSync(String(filename)).subarray(0, 5).toString()).to.equal('%PDF-')
    },

    async 'Catch mistakes before the inbox'(example) {
      await press(red, example, '1 A plain order')
      expect((await at(example, 'sent')).externalDocId).to.match(/^EPIC\|CAUGHT-/)
      await press(red, example, '2 An unknown signer')
      await red.statusOf(idIn(example, 'countersign-held'), '1 held')
    },

    async 'Pull the plug'(example) {
      await press(red, example, '1 Send twenty documents')
      await eventually(async () => {
        await press(red, example, '2 Count')
        expect((await at(example, 'counted')).payload).to.deep.equal({ documents: 20, tasks: 20 })
      }, patience(30_000))
    },

    async 'Receive orders over HTTP'(example) {
      await press(red, example, 'Send an order')
      expect(await at(example, 'answer')).to.deep.include({ statusCode: 202, payload: { accepted: true } })
      expect((await at(example, 'sent')).externalDocId).to.match(/^EPIC\|HL7-/)
    },

    async 'Receive and send HL7 over MLLP'(example) {
      await press(red, example, 'Send a message')
      expect(await at(example, 'answered')).to.include({ accepted: true })
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

    async 'Follow up overdue orders'(example) {
      await press(red, example, '1 Send an order')
      const { taskId } = await at(example, 'sent')
      await isPending(taskId)
      await press(red, example, '2 Look now')
      await at(example, "to the signer's office", (message) => message.taskId === taskId)
      await press(red, example, '4 Signed on paper')
      await at(example, 'on paper', (message) => message.taskId === taskId)
      expect(foreign.records.tasks.get(Number(taskId))!.savedId).to.match(/^PAPER-/)
    },

    async 'Reconcile after an outage'(example) {
      await press(red, example, '1 Send an order that is signed')
      const { taskId } = await at(example, 'sent')
      await eventually(() => expect(statusOf(taskId)).to.equal('Completed'), patience(30_000))
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
      // What create task had not noted as sent when it was killed comes out once more, as it was.
      expect(await at(example, 'sent', ({ duplicate }) => duplicate === true)).to.include({ taskId })
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
