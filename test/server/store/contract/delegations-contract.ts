/** What the store holds of delegations; SQLite and PostgreSQL pass the same. */
import { expect } from 'chai'
import type { Actor } from '../../../../server/domain/audit.ts'
import { transition } from '../../../../server/domain/task/task.ts'
import type { Store } from '../../../../server/store/store.ts'
import { aDelegation, DELEGATE, GIVER } from '../../../support/store/a-delegation.ts'
import { AT, facts, later, newTask, organization, pending, type storesIn } from '../stores-in.ts'

const by: Actor = { kind: 'signer', id: DELEGATE }

export function keepsDelegations({ open }: ReturnType<typeof storesIn>): void {
  /** A document that waits for a signer, in an organization where a colleague signs for her. */
  async function delegated() {
    const store = await open()
    await store.documentTypes.create({ id: newTask().documentTypeId, name: 'Order', category: 'Order' }, AT)
    const [sender, practice] = [await organization(store), await organization(store, 'Harbor')]
    await store.organizations.update(practice, { allowsDelegation: true }, AT)
    const id = await aDelegation(store, practice)
    const taskId = await pending(store, sender, practice, { request: requestTo(GIVER) })
    return { store, sender, practice, id, taskId }
  }
  const waitsFor = async (store: Store, at: Date) =>
    (await store.forSigner(DELEGATE, by, at).waiting(10)).map(({ taskId }) => taskId)
  const reject = (store: Store, taskId: number, at: Date) =>
    store
      .tasks({ signerNpi: DELEGATE, standingInAt: at })
      .change(taskId, by, (task) => transition(task, 'reject', { ...facts(), reason: 'Wrong dose' }))
      .then(
        () => 'done',
        ({ message }: Error) => message,
      )

  it('shows a delegate what waits for the signer while the delegation holds, and marks it as changed', async () => {
    const { store, id, taskId } = await delegated()
    expect(await waitsFor(store, AT)).to.deep.equal([taskId])
    expect(await waitsFor(store, later(3_599))).to.deep.equal([taskId])
    expect(await waitsFor(store, later(3_600))).to.deep.equal([])
    expect(await waitsFor(store, later(-1))).to.deep.equal([])
    const mark = async () => (await store.waitingMarks([DELEGATE, GIVER], AT)).get(DELEGATE)
    const before = await mark()
    await store.delegations.end(id, { npi: GIVER }, { by, at: AT })
    expect(await waitsFor(store, AT)).to.deep.equal([])
    expect(await mark()).not.to.equal(before)
  })

  it('lets the delegate act in the transaction that finds the delegation, and nobody beyond it', async () => {
    const { store, sender, practice, taskId } = await delegated()
    const elsewhere = await organization(store, 'Lakeside')
    const other = await pending(store, sender, elsewhere, { request: requestTo(GIVER), externalDocId: 'DOC-2' })
    const gone = (id: number) => `Document ${id} does not wait for you, or no longer does.`
    expect(await reject(store, other, AT)).to.equal(gone(other))
    await store.organizations.update(practice, { allowsDelegation: false }, AT)
    await store.organizations.update(practice, { allowsDelegation: true }, AT)
    expect(await reject(store, taskId, AT)).to.equal(gone(taskId))
    await store.delegations.create(
      { organizationId: practice, signerNpi: GIVER, delegateNpi: DELEGATE, startsAt: AT, endsAt: later(60) },
      { by, at: AT },
    )
    expect(await reject(store, taskId, AT)).to.equal('done')
    const [past] = await store.forSigner(GIVER, by).past(10)
    expect([past!.taskId, past!.doneBy]).to.deep.equal([taskId, `Dr ${DELEGATE}`])
  })

  it('counts the documents of the signer in the e-mails to the delegate', async () => {
    const { store, sender, practice } = await delegated()
    const choice = { mode: 'soon', hour: 7, timeZone: 'UTC', address: 'delegate@practice.example' } as const
    await store.notices.choose(DELEGATE, choice, 'off-key', { by, at: AT })
    expect(await store.notices.nextDue()).not.to.equal(null)
    await pending(store, sender, practice, { request: requestTo(GIVER), externalDocId: 'DOC-3' })
    expect((await store.notices.content(DELEGATE, AT))?.count).to.equal(2)
    expect(await store.notices.content(DELEGATE, later(3_600))).to.equal(null)
  })

  it('writes down who let whom sign, for whom somebody acted, and what ended it', async () => {
    const { store, id, practice, taskId } = await delegated()
    await reject(store, taskId, AT)
    const delegate = (await store.people.list()).find(({ npi }) => npi === DELEGATE)!
    await store.people.disable(delegate.id, AT, { kind: 'operator', id: '1' })
    const entries: unknown[] = []
    for await (const row of store.audit.rows(0))
      if (/^(delegation|task\.reject)/.test(row.action))
        entries.push([row.action, row.actor, row.actorId, row.organizationId === practice, row.subject])
    expect(entries).to.deep.equal([
      ['delegation.create', 'operator', null, true, String(id)],
      ['task.reject', 'signer', DELEGATE, false, GIVER],
      ['delegation.end', 'operator', '1', true, String(id)],
    ])
  })
}

function requestTo(userNPI: string) {
  const { request } = newTask()
  return { ...request, performer: { ...request.performer, signer: { ...request.performer.signer, userNPI } } }
}
