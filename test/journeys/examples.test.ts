/** Every example as it is imported: deployed on the embedded service, its buttons pressed, its end reached. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Task } from '../../lib/contract/task/task.ts'
import { aFolder } from '../support/a-folder.ts'
import { aVisit } from '../support/browser/a-visit.ts'
import { root } from '../support/built.ts'
import { eventually } from '../support/eventually.ts'
import { wrongInR4 } from '../support/fhir/valid-r4.ts'
import { freePort } from '../support/network/free-port.ts'
import { exampleFlow, exampleNames, idIn, press } from '../support/node-red/examples/examples.ts'
import { isReplaced } from '../support/node-red/examples/replaced.ts'
import { FIRST_BUTTONS, runningExamples } from '../support/node-red/examples/running-examples.ts'
import { type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'
import { patience } from '../support/patience.ts'
import { orderPdf } from '../support/pdf/order-pdf.ts'

describe('the examples', function () {
  this.timeout(60_000)
  let red: NodeRed
  let work: string
  let port: number
  let answered: Promise<{ code: number; answer: { status: string; pdf: string } }>

  before(async () => {
    work = aFolder()
    port = await freePort()
    red = await runningExamples(work, port)
    answered = fetch(red.nodeUrl('countersign/sign?order=ORDER-OVER-HTTP'), {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: new Uint8Array(await orderPdf()),
    }).then(async (response) => ({ code: response.status, answer: (await response.json()) as never }))
  })
  after(() => red?.stop())
  afterEach(() => {
    for (const name of exampleNames) expect(red.waiting(idIn(name, 'failure')), name).to.deep.equal([])
  })

  const at = (example: string, probe: string) => red.next(idIn(example, probe), () => true, 30_000)
  /** All examples share one service, and the one that receives events hears of every task. */
  const inTheInbox = (taskId: unknown) =>
    red.next(idIn('Receive status events', 'in the inbox'), (message) => message.taskId === taskId)

  it('are in the import menu and in the documents under their names', async () => {
    const page = readFileSync(join(root, 'docs/nodes.md'), 'utf8')
    for (const name of exampleNames) expect(page).to.contain(`| ${name} `)
    const library = await (
      await fetch(red.adminUrl('library/examples/flows/@countersign/node-red-document-signature'))
    ).text()
    for (const name of exampleNames) expect(library).to.contain(name)
  })

  it('are arrays that Node-RED can import, without a function node and without a key', () => {
    expect(exampleNames).to.have.length(26)
    const ids = new Map<string, string>()
    for (const name of exampleNames) {
      const flow = exampleFlow(name)
      for (const node of flow) {
        expect(node.type, name).to.not.equal('function')
        expect(node, name).to.not.have.property('credentials')
        expect(ids.get(node.id), `${name}: ${node.id} is in another example`).to.equal(undefined)
        ids.set(node.id, name)
        if (typeof node.service === 'string')
          expect(
            flow.map(({ id }) => id),
            name,
          ).to.include(node.service)
      }
    }
  })

  it('File drop to signed file', async () => {
    const example = 'File drop to signed file'
    const { filename } = await at(example, 'signed file')
    expect(String(filename)).to.match(/countersign-demo[/\\]signed[/\\]order-[0-9a-f]+\.pdf$/)
    expect(readFileSync(String(filename)).subarray(0, 5).toString()).to.equal('%PDF-')
  })

  it('Orders from a folder', async () => {
    const example = 'Orders from a folder'
    const held = await at(example, 'held')
    expect(held.held).to.deep.equal(['type: the code "UNKNOWN" is not in documentTypes of the map'])
    const { filename, externalDocId } = await at(example, 'signed file')
    expect(String(filename)).to.match(/countersign-demo[/\\]signed[/\\]order-[0-9a-f]+\.pdf$/)
    expect(readFileSync(String(filename)).subarray(0, 5).toString()).to.equal('%PDF-')
    const orders = join(work, 'countersign-demo/orders')
    const base = String(held.filename).slice(0, -4)
    const error = ['.json', '.pdf', '.reason.json'].map((end) => base + end)
    expect(readdirSync(join(orders, 'error')).toSorted()).to.deep.equal(error)
    expect(readdirSync(join(orders, 'done')).toSorted()).to.deep.equal([
      `${externalDocId}.json`,
      `${externalDocId}.pdf`,
    ])
  })

  it('Retract an order and send its correction', async () => {
    const example = 'Retract an order and send its correction'
    const { taskId } = await at(example, 'sent')
    await inTheInbox(taskId)
    await press(red, example, '2 Retract and correct it')
    expect(await at(example, 'retracted')).to.include({
      taskId,
      status: 'Retracted',
      statusReason: 'A corrected document follows',
    })
    const { taskId: correction } = await at(example, 'corrected')
    expect(correction).to.not.equal(taskId)
    const { externalDocId } = await at(example, 'signed')
    expect(externalDocId).to.match(/^ORDER-[0-9a-f]+\.r2$/)
  })

  it('Replace an order that was sent', async () => {
    await isReplaced(red, inTheInbox)
  })

  it('Receive and send HL7 over MLLP', async () => {
    const example = 'Receive and send HL7 over MLLP'
    expect(await at(example, 'answered')).to.include({ accepted: true, answerCode: 'AA' })
    expect(await at(example, 'received')).to.include({ messageType: 'ADT^A08' })
  })

  it('Record a rejection', async () => {
    const example = 'Record a rejection'
    const { taskId, statusReason, externalSavedDocumentId } = await at(example, 'recorded')
    expect(statusReason).to.equal('Not my patient')
    expect(externalSavedDocumentId).to.equal(`REJECTION-${taskId}`)
  })

  it('Archive and file the signed PDF', async () => {
    const example = 'Archive and file the signed PDF'
    const { payload, externalDocId, filename } = await at(example, 'filed')
    expect((payload as Task).output).to.include({ isArchived: true, isFiled: true, externalSavedDocumentId: filename })
    expect(String(filename)).to.match(new RegExp(`\\d{4}-\\d\\d-\\d\\d ${externalDocId} Completed\\.pdf$`))
    expect(readFileSync(String(filename)).subarray(0, 5).toString()).to.equal('%PDF-')
  })

  it('Choose document type and template by name', async () => {
    const example = 'Choose document type and template by name'
    expect(await at(example, 'sent')).to.include({ documentTypeId: 104, templateId: 204 })
    expect(await at(example, 'outcome')).to.include({ status: 'Completed' })
  })

  it('Place the fields in four ways', async () => {
    const example = 'Place the fields in four ways'
    const signed: unknown[] = []
    for (const _ of FIRST_BUTTONS[example]!) signed.push((await at(example, 'signed')).externalDocId)
    expect(signed.map((id) => String(id).split('-')[1]).toSorted()).to.deep.equal([
      'COORDINATES',
      'TEMPLATE',
      'TEXT',
      'TOKENS',
    ])
  })

  it('See why an order failed or waits for review', async () => {
    const example = 'See why an order failed or waits for review'
    const failed = await at(example, 'failed')
    expect(failed.status).to.equal('Failed')
    expect(failed.statusReason).to.match(/^No active signer has the NPI/)
    // The one that failed was under way, too, if somebody looked in time.
    const { taskId } = await red.next(idIn(example, 'under way'), (message) => message.taskId !== failed.taskId, 30_000)
    const operator = aVisit(`http://127.0.0.1:${port}`)
    await operator.signInAs('Service operator')
    await eventually(async () => {
      const decided = await operator.ask('POST', `/admin/v1/tasks/${taskId}/review`, { decision: 'new' })
      expect(decided.status, 'once it is there to be reviewed').to.equal(204)
    })
    expect(await at(example, 'signed')).to.include({ taskId, status: 'Completed' })
  })

  it('FHIR round trip', async () => {
    const { payload, status } = await at('FHIR round trip', 'in FHIR')
    expect(status).to.equal('Completed')
    expect(payload).to.include({ resourceType: 'DocumentReference', docStatus: 'final' })
    expect(wrongInR4(payload as object)).to.deep.equal([])
  })

  it('Send an order from HL7', async () => {
    const example = 'Send an order from HL7'
    const { status, externalDocId, messageType, externalSavedDocumentId } = await at(example, 'signed')
    expect([status, String(externalDocId).slice(0, 9)]).to.deep.equal(['Completed', 'EPIC|HL7-'])
    expect(messageType).to.equal('MDM^T02')
    expect(externalSavedDocumentId).to.match(/^\d+-/)
    const reason = 'TXA-2: the code "UNKNOWN" is not in documentTypes of the map'
    expect((await at(example, 'held')).held).to.deep.equal([reason])
  })

  it('Catch mistakes before the inbox', async () => {
    const example = 'Catch mistakes before the inbox'
    const sent = [await at(example, 'sent'), await at(example, 'sent')]
    const ids = sent.map(({ externalDocId }) => String(externalDocId).replace(/-[0-9a-f]{16}-/, '-')).toSorted()
    expect(ids).to.deep.equal(['EPIC|CAUGHT-9999900019-HARBOR', 'EPIC|CAUGHT-9999900019-LAKE'])
    const { warnings } = await at(example, 'warned')
    expect((warnings as string[])[0]).to.match(/^organization: it is none of the signer/)
    await red.statusOf(idIn(example, 'countersign-held'), '1 held')
  })

  it('Receive orders over HTTP', async () => {
    const example = 'Receive orders over HTTP'
    const answers = [await at(example, 'answer'), await at(example, 'answer')]
    const reasons = ['TXA-2: the code "UNKNOWN" is not in documentTypes of the map']
    expect(answers.map(({ statusCode, payload }) => [statusCode, payload])).to.have.deep.members([
      [202, { accepted: true }],
      [200, { accepted: false, held: true, reasons }],
    ])
    expect((await at(example, 'sent')).externalDocId).to.match(/^EPIC\|HL7-/)
  })

  it('Correct an order that was held', async () => {
    const example = 'Correct an order that was held'
    await red.statusOf(idIn(example, 'countersign-held'), '1 held')
    await press(red, example, '2 Correct and resend')
    const reason = 'TXA-2: the code "UNKNOWN" is not in documentTypes of the map'
    const { payload } = await at(example, 'held')
    expect((payload as { reasons: string[] }[]).map(({ reasons }) => reasons)).to.deep.equal([[reason]])
    expect((await at(example, 'sent')).externalDocId).to.match(/^EPIC\|HL7-/)
    await red.statusOf(idIn(example, 'countersign-held'), '')
  })

  it('Send for several organizations', async () => {
    const example = 'Send for several organizations'
    const organizations = [await at(example, 'signed'), await at(example, 'signed')].map((each) => each.organization)
    expect(organizations.toSorted()).to.deep.equal(['Northfield', 'Willow Creek'])
  })

  it('Answer an HTTP request with the signed PDF', async () => {
    const { code, answer } = await answered
    expect([code, answer.status]).to.deep.equal([200, 'Completed'])
    expect(Buffer.from(answer.pdf, 'base64').subarray(0, 5).toString()).to.equal('%PDF-')
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
    const began = Date.now()
    await press(red, example, 'Send an order')
    // Orders of other examples wait, too, until their signers sign: they are older.
    const row = await eventually(async () => {
      await press(red, example, 'What is open?')
      const rows = (await at(example, 'worklist')).payload as { document: string }[]
      const own = rows.filter(({ document }) => Number(/^ORDER-(\d{13})$/.exec(document)?.[1]) >= began)
      expect(own).to.have.length(1)
      return own[0]
    })
    expect(row).to.include({ 'days open': 0 })
  })

  it('Follow up overdue orders', async () => {
    const example = 'Follow up overdue orders'
    const isAbout = (probe: string, taskId: unknown) =>
      red.next(idIn(example, probe), (message) => message.taskId === taskId, 30_000)
    const { taskId, externalDocId } = await at(example, 'sent')
    await inTheInbox(taskId)
    await press(red, example, '2 Look now')
    const reminder = await isAbout("to the signer's office", taskId)
    expect(reminder).to.include({ threshold: 0, daysOpen: 0, daysLeft: 30, userNPI: '9999900035' })
    expect(reminder.payload).to.contain(externalDocId).and.to.contain('9999900035')
    await press(red, example, '3 Send it to a partner')
    const partner = await at(example, 'at the partner')
    expect(partner.taskId).to.not.equal(taskId)
    await press(red, example, '1 Send an order')
    const paper = await at(example, 'sent')
    await inTheInbox(paper.taskId)
    await press(red, example, '4 Signed on paper')
    expect(await isAbout('on paper', paper.taskId)).to.include({
      status: 'Retracted',
      externalSavedDocumentId: `PAPER-${paper.externalDocId}`,
    })
  })

  it('Reconcile after an outage', async () => {
    const example = 'Reconcile after an outage'
    const sentTo = async (npi: string) =>
      (await red.next(idIn(example, 'sent'), ({ userNPI }) => userNPI === npi, 30_000)).taskId
    // Whichever was created first: the order that is signed, and the one that fails.
    const [signed, failed] = [await sentTo('9999900019'), await sentTo('9999900043')]
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

  it('Pull the plug', async () => {
    const example = 'Pull the plug'
    const { userDir, port } = red
    await press(red, example, '1 Send twenty documents')
    await at(example, 'sent')
    await red.kill()
    red = await startNodeRed({ userDir, port, cwd: work })
    // Some may not have reached the node when it was killed.
    await press(red, example, '1 Send twenty documents')
    await eventually(async () => {
      await press(red, example, '2 Count')
      expect((await at(example, 'counted')).payload).to.deep.equal({ documents: 20, tasks: 20 })
    }, patience(30_000))
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
    // What create task had not noted as sent when it was killed comes out once more, as it was.
    expect(await red.next(idIn(example, 'sent'), (message) => message.duplicate === true)).to.include({ taskId })
    await press(red, example, '3 Let the signer sign')
    expect(await at(example, 'outcome')).to.include({ taskId, status: 'Completed' })
  })
})
