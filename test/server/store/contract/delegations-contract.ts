/** What the store holds of delegations; SQLite and PostgreSQL pass the same. */
import { expect } from 'chai'
import type { Actor } from '../../../../server/domain/audit.ts'
import { GATHER_MS } from '../../../../server/domain/notices/schedule.ts'
import { transition } from '../../../../server/domain/task/task.ts'
import type { Store } from '../../../../server/store/store.ts'
import { aDelegation, DELEGATE, GIVER } from '../../../support/store/a-delegation.ts'
import { AT, facts, later, newTask, organization, pending, type storesIn } from '../stores-in.ts'

const by: Actor = { kind: 'signer', id: DELEGATE }

export function keepsDelegations({ open, close, twoProcesses }: ReturnType<typeof storesIn>): void {
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

  it('marks what has come and gone since the last look as changed, for the signer and the delegate', async () => {
    const { store, sender, practice } = await delegated()
    const marks = async () => [...(await store.waitingMarks([DELEGATE, GIVER], AT)).values()]
    const before = await marks()
    expect(await marks()).to.deep.equal(before)
    const come = await pending(store, sender, practice, { request: requestTo(GIVER), externalDocId: 'DOC-2' })
    expect(await reject(store, come, AT)).to.equal('done')
    for (const [index, mark] of (await marks()).entries()) expect(mark).not.to.equal(before[index])
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

  const CHOICE = { mode: 'soon', hour: 7, timeZone: 'UTC', address: 'delegate@practice.example' } as const
  /** A document that waits, and a delegation that begins in an hour and ends in two. */
  async function delegatedLater() {
    const { store, practice, id: earlier } = await delegated()
    await store.delegations.end(earlier, { npi: GIVER }, { by, at: AT })
    const people = { organizationId: practice, signerNpi: GIVER, delegateNpi: DELEGATE }
    const create = (start: number, end: number) =>
      store.delegations.create({ ...people, startsAt: later(start), endsAt: later(end) }, { by, at: AT })
    return { store, create, id: await create(3_600, 7_200) }
  }
  const claimAt = (store: Store, seconds: number) => store.notices.claim(10, later(seconds), later(seconds + 60))

  it('owes one e-mail when a delegation begins that was made earlier, after a restart and by one of two processes', async () => {
    const { store, create } = await delegatedLater()
    await store.notices.choose(DELEGATE, CHOICE, 'off-key', { by, at: AT })
    await create(10_800, 14_400)
    await close(store)
    const [one, other] = (await twoProcesses()) as [Store, Store]
    for (const start of [3_600, 10_800]) {
      expect(await one.notices.nextDue()).to.deep.equal(later(start))
      expect(await claimAt(one, start - 1)).to.deep.equal([])
      const both = [one, other, one, other].map((store) => claimAt(store, start))
      expect((await Promise.all(both)).flat()).to.deep.equal([])
      const [owed, ...others] = await claimAt(one, start + GATHER_MS / 1000)
      expect(others).to.deep.equal([])
      expect(owed).to.deep.equal({ npi: DELEGATE, kind: 'waiting', version: 1, failures: 0 })
      expect((await other.notices.content(DELEGATE, later(start)))?.count).to.equal(1)
      await one.notices.settle(owed!, { again: null, sinceThen: later(start + 600) })
    }
    expect(await other.notices.nextDue()).to.equal(null)
  })

  it('owes none when a delegation was ended before it began, and one of another that begins then', async () => {
    const { store, create, id } = await delegatedLater()
    await store.notices.choose(DELEGATE, CHOICE, 'off-key', { by, at: AT })
    await create(7_200, 10_800)
    await store.delegations.end(id, { npi: GIVER }, { by, at: AT })
    expect(await claimAt(store, 3_600)).to.deep.equal([])
    expect(await store.notices.nextDue()).to.deep.equal(later(7_200))
    // The mail server was away while it began.
    expect(await claimAt(store, 8_000)).to.deep.equal([])
    expect(await claimAt(store, 8_000 + GATHER_MS / 1000)).to.have.length(1)
  })

  it('counts the documents of the signer in the e-mails to the delegate', async () => {
    const { store, sender, practice } = await delegated()
    await store.notices.choose(DELEGATE, CHOICE, 'off-key', { by, at: AT })
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
