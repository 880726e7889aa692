/** What the service expects of its store, as tests over a place to keep it: SQLite and PostgreSQL pass the same. */
import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { OPERATOR } from '../../../../server/domain/audit.ts'
import type { Refusal } from '../../../../server/domain/refusal.ts'
import { transition } from '../../../../server/domain/task/task.ts'
import { openStore } from '../../../../server/store/store.ts'
import type { Scope } from '../../../../server/store/tasks/scope.ts'
import { claim, hold, present, record, resolvePatient, review, sign } from '../../../support/service/task-steps.ts'
import { keepsIdentities } from '../../sign-on/identities-contract.ts'
import { keepsNotices } from '../notices/notices-contract.ts'
import {
  AT,
  facts,
  kindOf,
  LEASE,
  newTask,
  organization,
  PDF,
  type Place,
  pending,
  signer,
  storesIn,
} from '../stores-in.ts'
import { keepsDelegations } from './delegations-contract.ts'
import { keepsTheDirectory } from './directory-contract.ts'

/** `newPlace` is new and empty for each test. */
export function keepsTheStoreContract(newPlace: () => Promise<Place>): void {
  const stores = storesIn(newPlace)
  const { open, count, place, masterKey } = stores

  keepsTheDirectory(stores)
  keepsIdentities(stores)
  keepsNotices(stores)
  keepsDelegations(stores)

  it('keeps what a document was before it was prepared, and tells the signer and the console', async () => {
    const store = await open()
    await store.documentTypes.create({ id: newTask().documentTypeId, name: 'Order', category: 'Order' }, AT)
    const [sender, practice] = [await organization(store), await signer(store)]
    const prepared = { receivedSha256: 'ab'.repeat(32), preparations: ['formFlattened', 'javaScriptRemoved'] } as const
    const taskId = await pending(store, sender, practice, prepared)
    const npi = newTask().request.performer.signer.userNPI
    const shown = { sha256: newTask().sha256, preparations: prepared.preparations }
    expect(await store.signing.find({ signerNpi: npi }, taskId)).to.deep.include({ ...shown, ...prepared })
    expect(await store.forSigner(npi, OPERATOR).open(taskId)).to.deep.include(shown)
    expect((await store.overview(null).find(taskId))?.preparations).to.deep.equal(prepared.preparations)
  })

  it('refuses another master key with a sentence that says what to do, and is unharmed', async () => {
    const store = await open()
    await store.keepsake('seal', AT, async () => ({ secret: 1 }))
    const failure = await openStore(place().data, randomBytes(32)).catch((reason: Error) => reason.message)
    expect(failure).to.equal(
      'The store was written with another master key. Give the service the key it was created with.',
    )
    expect(await (await open()).keepsake('seal', AT, async () => ({ secret: 2 }))).to.deep.equal({ secret: 1 })
  })

  it('knows a patient by the second id that a review gave, in that organization only', async () => {
    const store = await open()
    const [mine, theirs] = [await organization(store), await organization(store, 'Northfield')]
    const { request } = newTask()
    const twin = { ...request, patient: { ...request.patient, externalId: 'SECOND', identifiers: null } }
    const matched = async (organizationId: number, change = {}) => {
      const { id } = await store.forOrganization(organizationId).tasks.create(newTask(change), AT)
      const claimed = (await claim(store, AT, LEASE, 100)).find((task) => task.id === id)!
      const match = await resolvePatient(store, claimed, AT)
      if (match.outcome === 'review') await hold(store, id, match, AT)
      return { id, match }
    }
    const first = (await matched(mine)).match
    if (first.outcome !== 'known') throw new Error(first.outcome)
    const { id, match } = await matched(mine, { request: twin })
    expect(match.outcome).to.equal('review')
    await review(store, id, { same: first.patientId }, AT)
    expect((await matched(mine, { request: twin })).match).to.deep.equal(first)
    expect((await matched(mine)).match).to.deep.equal(first)
    expect((await matched(theirs, { request: twin })).match).not.to.deep.equal(first)
  })

  it('shows a sender its own tasks and nobody else’s', async () => {
    const store = await open()
    const [mine, theirs] = [await organization(store), await organization(store, 'Northfield')]
    const { id } = await store.forOrganization(theirs).tasks.create(newTask(), AT)
    const { tasks } = store.forOrganization(mine)
    expect(await tasks.find(id)).to.equal(null)
    expect(await tasks.signedPdf(id, AT)).to.equal(null)
    expect(await tasks.list({ limit: 10 })).to.deep.equal([])
    expect(await tasks.list({ limit: 10, externalDocId: 'DOC-1' })).to.deep.equal([])
    const outcomes = await Promise.allSettled([
      tasks.change(id, (task) => transition(task, 'cancel', facts())),
      record({ tasks }, id, 'S', AT),
    ])
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && kindOf(outcome.reason))).to.deep.equal([
      'notFound',
      'notFound',
    ])
    expect((await store.forOrganization(theirs).tasks.find(id))?.status).to.equal('Received')
    expect(await count('saved_document')).to.equal(0)
  })

  it('says in the reader’s words that there is no such task', async () => {
    const store = await open()
    const { id } = await store.forOrganization(await organization(store)).tasks.create(newTask(), AT)
    const stranger = await organization(store, 'Northfield')
    const refusal = (scope: Scope, taskId: number) =>
      store
        .tasks(scope)
        .change(taskId, OPERATOR, (task) => transition(task, 'cancel', facts()))
        .then(
          () => 'changed',
          ({ kind, message }: Refusal) => `${kind}: ${message}`,
        )
    expect(await refusal({ organizationId: stranger }, id)).to.equal(`notFound: There is no task ${id} for this key.`)
    expect(await refusal({ signerNpi: '9999900027' }, id)).to.match(/^notFound: Document \d+ does not wait for you/)
    expect(await refusal('all', 999_999)).to.equal('notFound: There is no task 999999.')
    expect(await refusal('all', id)).to.equal('changed')
  })

  it('lists and reads tasks without touching a document', async () => {
    const store = await open()
    const { tasks } = store.forOrganization(await organization(store))
    const { id } = await tasks.create(newTask(), AT)
    await place().query('ALTER TABLE document RENAME TO document_out_of_reach')
    expect((await tasks.list({ limit: 10 })).map((task) => task.id)).to.deep.equal([id])
    expect((await tasks.find(id))?.externalDocId).to.equal('DOC-1')
    const signed = await tasks.signedPdf(id, AT).then(
      () => 'read',
      () => 'out of reach',
    )
    expect(signed).to.equal('out of reach')
  })

  it('takes back what one organization did, and nothing of another; what is kept anew replaces what was', async () => {
    const store = await open()
    const [mine, theirs, practice] = [
      await organization(store),
      await organization(store, 'North'),
      await signer(store),
    ]
    const kept: number[] = []
    for (const sender of [mine, theirs]) {
      await store.forOrganization(sender).subscriptions.create('https://a.example/', null, randomBytes(32), AT)
      kept.push(await pending(store, sender, practice))
      await store.outbox.fanOut(AT, 10)
    }
    const filled = ['task', 'document', 'inbox_request', 'patient', 'event', 'delivery']
    const counts = () => Promise.all(filled.map((table) => count(table)))
    expect(await counts()).to.deep.equal([2, 2, 2, 2, 2, 2])
    await store.reset(mine, OPERATOR, AT)
    expect(await counts()).to.deep.equal([1, 1, 1, 1, 1, 1])
    expect((await store.forOrganization(theirs).tasks.find(kept[1]!))?.status).to.equal('Pending')
    expect(await store.forOrganization(mine).subscriptions.list()).to.have.length(1)

    for (const ahead of [5, 7]) await store.keepAnew('clock', AT, ahead)
    expect(await store.keepsake('clock', AT, async () => 0)).to.equal(7)
  })

  it('writes a change whole or not at all', async () => {
    const store = await open()
    const [sender, practice] = [await organization(store), await signer(store)]
    const id = await pending(store, sender, practice)
    const before = [await count('event'), await count('audit')]
    // A signed document that is there already makes the last statement of signing fail.
    await place().query(
      `INSERT INTO document (task_id, kind, sealed, sha256, bytes, created_at)
       SELECT task_id, 'signed', sealed, sha256, bytes, created_at FROM document WHERE task_id = ${id}`,
    )
    const outcome = await sign(store, id, { pdf: PDF, sha256: '00' }, facts()).then(
      () => 'signed',
      () => 'failed',
    )
    expect(outcome).to.equal('failed')
    expect((await store.forOrganization(sender).tasks.find(id))?.status).to.equal('Pending')
    expect([await count('event'), await count('audit')]).to.deep.equal(before)
  })

  it('seals what is private: no planted word stands in the clear anywhere', async () => {
    const planted = {
      family: 'Zebulon-Quagmire',
      given: 'Ottokar-Ludmilla',
      street: '4711 Nevermore Crescent',
      externalId: 'PLANTED-EXTERNAL-ID',
      document: 'PLANTED-DOC-ID',
      saved: 'PLANTED-SAVED-ID',
      reason: 'planted reason of a retract',
      text: 'planted text of a field',
      url: 'https://one.example.org/?token=planted-token',
      description: 'planted description of a subscription',
      summary: 'planted summary of a template',
      label: 'planted label of a date',
      template: 'planted text of a template',
    }
    const store = await open()
    const [sender, practice] = [await organization(store), await signer(store)]
    const { tasks, subscriptions, templates } = store.forOrganization(sender)
    const secret = randomBytes(32)
    await subscriptions.create(planted.url, planted.description, secret, AT)
    const task = newTask({ externalDocId: planted.document })
    task.request.patient.names = [{ family: planted.family, given: [planted.given] }]
    task.request.patient.addresses = [{ line: planted.street, postalCode: '55802' }]
    task.request.patient.externalId = planted.externalId
    const { id } = await tasks.create(task, AT)
    const [claimed] = await claim(store, AT, LEASE, 1)
    const match = await resolvePatient(store, claimed!, AT)
    if (match.outcome !== 'known') throw new Error(match.outcome)
    const box = { left: 0, top: 0, right: 9, bottom: 9 }
    const fields = [{ page: 1, box, type: 'TextArea' as const, required: false, value: planted.text }]
    await present(
      store,
      claimed!,
      { patientId: match.patientId, routedTo: practice, routedBy: 'primary' as const, fields },
      facts(),
    )
    const rules = { diagnosisCodeAllowed: true, diagnosisCodeRequired: false, daysBefore: null, daysAfter: 3 }
    const exceptions = { signatureRule: null, coversTokens: null }
    const template = {
      ...rules,
      ...exceptions,
      summary: planted.summary,
      clinicalDateLabel: planted.label,
      pdfRequired: true,
    }
    const written = fields.map((field) => ({ ...field, value: planted.template }))
    const templateId = await templates.create({ ...template, isCustomTemplate: true, fields: [] }, AT)
    await templates.update(templateId, { ...template, isCustomTemplate: true, fields: written }, AT)
    await tasks.change(id, (state) => transition(state, 'retract', { ...facts(), reason: planted.reason }))
    await record({ tasks }, id, planted.saved, AT)
    await store.outbox.fanOut(AT, 10)

    const bytes = await place().everything()
    const words = [...Object.values(planted), 'Xanthippe-Quillfeather', '1948-03-12']
    expect(bytes.includes('Willow Creek'), 'the search finds what is in the clear').to.equal(true)
    for (const word of words) expect(bytes.includes(word), word).to.equal(false)
    expect(bytes.includes(secret), 'the secret').to.equal(false)
    expect(bytes.includes(secret.toString('base64')), 'the secret as Base64').to.equal(false)
    expect(bytes.includes(masterKey()), 'the master key').to.equal(false)
    expect((await tasks.find(id))?.externalSavedDocumentId, 'and it can be read').to.equal(planted.saved)
  })

  it('does not open a sealed value that was moved to another row', async () => {
    const store = await open()
    const { tasks } = store.forOrganization(await organization(store))
    const [one, two] = [await tasks.create(newTask(), AT), await tasks.create(newTask(), AT)]
    await place().query(
      `UPDATE task SET sealed_notes = (SELECT sealed_notes FROM task WHERE id = ${one.id}) WHERE id = ${two.id}`,
    )
    const outcome = await tasks.find(two.id).then(
      () => 'opened',
      () => 'closed',
    )
    expect(outcome).to.equal('closed')
  })
}
