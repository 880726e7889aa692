import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { systemClock } from '../../../lib/clock.ts'
import { SERVICE } from '../../../server/domain/audit.ts'
import type { Refusal } from '../../../server/domain/refusal.ts'
import { completeDocument } from '../../../server/pdf/complete.ts'
import { stampFields } from '../../../server/pdf/ink/stamp.ts'
import type { PdfPool } from '../../../server/pdf/workers/pool.ts'
import { withoutPage } from '../../../server/signing/circumstances.ts'
import { createSigning } from '../../../server/signing/sign.ts'
import { openStore, type Store } from '../../../server/store/store.ts'
import { aField, aSealKey } from '../../support/pdf/a-completion.ts'
import { aPdf } from '../../support/pdf/a-pdf.ts'
import { claim, present, resolvePatient } from '../../support/service/task-steps.ts'
import { AT, facts, LEASE, newTask, organization, signer } from '../store/stores-in.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

type Complete = PdfPool['complete']

/** Does what the worker thread does, on this thread, and alters a page on the way. */
const completing =
  (alters: boolean): Complete =>
  async (pdf, completion) => {
    const stamp: typeof stampFields = async (doc, ...rest) => {
      const drawn = await stampFields(doc, ...rest)
      if (alters) doc.getPage(0).drawRectangle({ x: 72, y: 695, width: 90, height: 20 })
      return drawn
    }
    const completed = await completeDocument(pdf, completion, { stamp })
    return completed.ok ? { ...completed, sha256: sha256(completed.pdf) } : completed
  }

describe('signing a document that would not be sealed as it was shown', () => {
  let store: Store
  beforeEach(async () => {
    store = await openStore(':memory:', randomBytes(32))
    await store.documentTypes.create({ id: newTask().documentTypeId, name: 'Order', category: 'Order' }, AT)
  })
  afterEach(() => store.close())

  async function waiting(): Promise<number> {
    const pdf = Buffer.from(await aPdf({ content: 'BT /F1 12 Tf 72 700 Td (Morphine 5 mg) Tj ET' }))
    const sender = await organization(store)
    const practice = await signer(store)
    const { id } = await store.forOrganization(sender).tasks.create(newTask({ pdf, sha256: sha256(pdf) }), AT)
    const claimed = (await claim(store, AT, LEASE, 1)).find((task) => task.id === id)!
    const match = await resolvePatient(store, claimed, AT)
    if (match.outcome !== 'known') throw new Error(match.outcome)
    const placed = { patientId: match.patientId, routedTo: practice, routedBy: 'primary' as const, fields: [aField()] }
    await present(store, claimed, placed, facts())
    return id
  }

  const sign = async (taskId: number, alters: boolean) => {
    const fail = () => expect.fail('the key is here, and there is no authority')
    const pdf = { complete: completing(alters), addSignature: fail, timestamp: fail }
    const seal = await aSealKey()
    const signing = createSigning({
      store,
      pdf,
      seal,
      timestamps: null,
      onKeyProblem: fail,
      clock: systemClock,
      newId: randomUUID,
      isTest: false,
      namesPatient: true,
    })
    return signing
      .sign('all', taskId, SERVICE, { values: {}, signatureImage: null, circumstances: withoutPage('demoSigner') })
      .then(
        () => 'signed',
        (refusal: Refusal) => refusal.message,
      )
  }

  const acts = async (taskId: number) => {
    const rows = []
    for await (const row of store.audit.rows()) if (row.taskId === taskId) rows.push(`${row.action} ${row.outcome}`)
    return rows.slice(-1)
  }

  it('is refused with a sentence and audited; nothing is sealed, and the task waits as before', async () => {
    const taskId = await waiting()
    expect(await sign(taskId, true)).to.equal(
      'The document could not be signed: it would not be what the signer was shown: page 1 looks different',
    )
    expect(await acts(taskId)).to.deep.equal(['document.differ refused'])
    expect(await store.signing.find('all', taskId)).not.to.equal(null)
    expect(await sign(taskId, false)).to.equal('signed')
    expect(await acts(taskId)).to.deep.equal(['task.sign done'])
  })
})
