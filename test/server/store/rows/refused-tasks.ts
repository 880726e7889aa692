/**
 * What becomes of tasks, and of a signer's history, that somebody changes who can write to the database and does not have the master
 * key. SQLite and PostgreSQL pass the same.
 */
import { expect } from 'chai'
import type { Actor } from '../../../../server/domain/audit.ts'
import { transition } from '../../../../server/domain/task/task.ts'
import type { ChangedRow } from '../../../../server/store/rows/row-macs.ts'
import type { Store } from '../../../../server/store/store.ts'
import { decisiveColumns } from '../../../../server/store/tasks/task-row.ts'
import { claim, record } from '../../../support/service/task-steps.ts'
import { aDelegation, aSigner, DELEGATE, GIVER } from '../../../support/store/a-delegation.ts'
import { AT, facts, LEASE, later, newTask, organization, type Place, pending, storesIn } from '../stores-in.ts'

const STRANGER = '9999900209'
const SIGNED = Buffer.from('%PDF-1.7 signed')
const SHA256 = 'a'.repeat(64)
const CONTENT = 'as it was signed'
const as = (npi: string): Actor => ({ kind: 'signer', id: npi })

export function refusesChangedTasks(newPlace: () => Promise<Place>): void {
  const { open, place } = storesIn(newPlace)
  const query = (sql: string) => place().query(sql)
  let store: Store
  let sender: number
  let other: number
  let practice: number
  let waits: number

  beforeEach(async () => {
    store = await open()
    sender = await organization(store)
    other = await organization(store, 'Another sender')
    practice = await organization(store, 'Lakeside')
    await store.organizations.update(practice, { allowsDelegation: true }, AT)
    await aDelegation(store, practice)
    await aSigner(store, STRANGER, practice)
    await store.documentTypes.create({ id: newTask().documentTypeId, name: 'Order', category: 'Order' }, AT)
    waits = await waiting('DOC-1')
  })

  /** A document of the signer who has a delegate. */
  async function waiting(externalDocId: string): Promise<number> {
    const task = newTask()
    const performer = { ...task.request.performer, signer: { userNPI: GIVER } }
    return pending(store, sender, practice, { externalDocId, request: { ...task.request, performer } })
  }

  /** Signs as a signer, who may stand in for another one. */
  const sign = (npi: string, id: number) =>
    store.signing.sign(
      { signerNpi: npi, standingInAt: AT },
      id,
      as(npi),
      { pdf: SIGNED, sha256: SHA256, at: AT, content: CONTENT },
      (task) => transition(task, 'sign', facts()),
    )
  const inbox = (npi: string) => store.forSigner(npi, as(npi), AT)
  const faults = async () => (await store.audit.verify()).rowFaults

  /** What each of those concerned sees of the task, or may do with it. */
  async function seen(id: number) {
    const senders = [sender, other].map((one) => store.forOrganization(one))
    const signers = [GIVER, DELEGATE, STRANGER]
    const refused = (call: Promise<unknown>) =>
      call.then(
        () => 'done',
        (failure: Error) => failure.message,
      )
    return {
      reads: await Promise.all(senders.map(async ({ tasks }) => (await tasks.find(id)) !== null)),
      lists: await Promise.all(senders.map(async ({ tasks }) => (await tasks.list({ limit: 9 })).length)),
      overview: (await store.overview(null).list({ limit: 9 })).length,
      detail: (await store.overview(null).find(id)) !== null,
      inboxes: await Promise.all(signers.map(async (npi) => (await inbox(npi).waiting(9)).length)),
      opens: await Promise.all(signers.map(async (npi) => (await inbox(npi).open(id)) !== null)),
      pdfs: await Promise.all(signers.map(async (npi) => (await inbox(npi).waitingPdf(id, AT)) !== null)),
      toSign: await Promise.all(
        signers.map(async (signerNpi) => (await store.signing.find({ signerNpi, standingInAt: AT }, id)) !== null),
      ),
      signedBySender: await Promise.all(senders.map(async ({ tasks }) => (await tasks.signedPdf(id, AT)) !== null)),
      withdrawn: await Promise.all(
        senders.map(({ tasks }) => refused(tasks.change(id, (task) => transition(task, 'retract', facts())))),
      ),
    }
  }

  /** In the same places, that a task shows nowhere; a refusal says what it says of a task that does not exist. */
  const nowhere = (id: number) => ({
    reads: [false, false],
    lists: [0, 0],
    overview: 0,
    detail: false,
    inboxes: [0, 0, 0],
    opens: [false, false, false],
    pdfs: [false, false, false],
    toSign: [false, false, false],
    signedBySender: [false, false],
    withdrawn: Array(2).fill(`There is no task ${id} for this key.`),
  })

  it('shows a task as it is, and finds nothing wrong, while nobody changes it', async () => {
    const { withdrawn, ...places } = await seen(waits)
    expect(places).to.deep.include({ reads: [true, false], inboxes: [1, 1, 0], toSign: [true, true, false] })
    expect(withdrawn[0]).to.equal('done')
    expect(await faults()).to.deep.equal([])
  })

  const changes: Record<(typeof decisiveColumns)[number], () => string | number> = {
    organizationId: () => other,
    signerNpi: () => `'${STRANGER}'`,
    routedTo: () => other,
    status: () => "'Completed'",
    documentId: () => 'document_id + 1',
  }
  for (const column of decisiveColumns)
    it(`refuses and names a task of which ${column} was changed`, async () => {
      const inSql = column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      const reported: ChangedRow[] = []
      store.onChangedRow((one) => reported.push(one))
      await query(`UPDATE task SET ${inSql} = ${changes[column]()} WHERE id = ${waits}`)
      expect(await seen(waits)).to.deep.equal(nowhere(waits))
      const task = { table: 'task', id: String(waits) }
      expect(reported).to.deep.equal([task])
      expect(await faults()).to.deep.equal([{ ...task, is: 'changed' }])
    })

  it('has no task signed that was withdrawn, and whose status was put back', async () => {
    const { tasks } = store.forOrganization(sender)
    await tasks.change(waits, (task) => transition(task, 'retract', facts()))
    await query(`UPDATE task SET status = 'Pending' WHERE id = ${waits}`)
    const refusal = await sign(GIVER, waits).then(
      () => 'signed',
      (failure: Error) => failure.message,
    )
    expect(refusal).to.equal(`Document ${waits} does not wait for you, or no longer does.`)
    expect(await seen(waits)).to.deep.equal(nowhere(waits))
  })

  it('does not take on a task that was changed before it was presented, and takes on the others', async () => {
    const { tasks } = store.forOrganization(sender)
    const [changed, next] = [await tasks.create(newTask(), AT), await tasks.create(newTask(), AT)]
    await query(`UPDATE task SET signer_npi = '${STRANGER}' WHERE id = ${changed.id}`)
    const unreadable: unknown[] = []
    const claimed = await claim(store, AT, LEASE, 9, (fault) => unreadable.push((fault as Error).message))
    expect(claimed.map(({ id }) => id)).to.deep.equal([next.id])
    expect(unreadable).to.deep.equal(['This task was changed in the database without the master key.'])
  })

  it('shows a signed document to its signer and the delegate who signed it, also after its outcome was recorded', async () => {
    await sign(DELEGATE, waits)
    const histories = () =>
      Promise.all(
        [GIVER, DELEGATE, STRANGER].map(async (npi) => [
          (await inbox(npi).past(9)).length,
          (await inbox(npi).signedPdf(waits, AT)) !== null,
          (await inbox(npi).outcome(waits))?.isOwn ?? null,
        ]),
      )
    const right = [
      [1, true, false],
      [1, true, true],
      [0, false, null],
    ]
    expect(await histories()).to.deep.equal(right)
    await query(`UPDATE event SET delegate_npi = '${STRANGER}' WHERE delegate_npi IS NOT NULL`)
    expect((await histories())[2]).to.deep.equal([0, false, null])
    await query(
      `UPDATE event SET signer_npi = '${STRANGER}', delegate_npi = '${DELEGATE}' WHERE delegate_npi IS NOT NULL`,
    )
    expect((await histories())[2]).to.deep.equal([0, false, null])
    await query(`UPDATE event SET signer_npi = '${GIVER}' WHERE delegate_npi IS NOT NULL`)
    expect(await histories()).to.deep.equal(right)
    await query(`UPDATE audit SET actor_id = '${STRANGER}' WHERE task_id = ${waits} AND action = 'task.sign'`)
    expect((await histories())[2]).to.deep.equal([0, false, null])
    await record(store.forOrganization(sender), waits, 'SAVED-1', later(1))
    expect((await inbox(DELEGATE).outcome(waits))?.isOwn).to.equal(true)
  })

  it('gives the signed document of a changed task to no sender, and to no signer', async () => {
    await sign(GIVER, waits)
    const given = async () => [
      (await store.forOrganization(other).tasks.signedPdf(waits, AT)) !== null,
      (await store.forOrganization(sender).tasks.signedPdf(waits, AT)) !== null,
      (await inbox(GIVER).signedPdf(waits, AT)) !== null,
      (await inbox(GIVER).outcome(waits)) !== null,
      (await inbox(GIVER).past(9)).length > 0,
      await store.signing.wasSignedWith({ signerNpi: GIVER }, waits, CONTENT),
    ]
    expect(await given()).to.deep.equal([false, true, true, true, true, true])
    await query(`UPDATE task SET organization_id = ${other} WHERE id = ${waits}`)
    expect(await given()).to.deep.equal(Array(6).fill(false))
  })
}
