/** What the store keeps of e-mail notices; SQLite and PostgreSQL pass the same. */
import { expect } from 'chai'
import { OPERATOR } from '../../../../server/domain/audit.ts'
import { GATHER_MS } from '../../../../server/domain/notices/schedule.ts'
import { AT, newTask, organization, pending, signer, type storesIn } from '../stores-in.ts'

const after = (ms: number) => new Date(AT.getTime() + ms)
const LEASE_MS = 60_000

export function keepsNotices({ open }: ReturnType<typeof storesIn>): void {
  const npi = newTask().request.performer.signer.userNPI
  /** A signer who is to be told soon after a document has come, and one that has come. */
  async function owed() {
    const store = await open()
    await store.documentTypes.create({ id: newTask().documentTypeId, name: 'Order', category: 'Order' }, AT)
    const [sender, practice] = [await organization(store), await signer(store)]
    const choice = { mode: 'soon', hour: 7, timeZone: 'UTC', address: 'ruth@practice.example' } as const
    await store.notices.choose(npi, choice, 'off-key', { by: OPERATOR, at: AT })
    await pending(store, sender, practice)
    const claim = (at: Date) => store.notices.claim(10, at, new Date(at.getTime() + LEASE_MS))
    return { store, claim, another: () => pending(store, sender, practice, { externalDocId: 'ANOTHER' }) }
  }
  const due = after(GATHER_MS)

  it('owes a notice from the moment at which a document waits, and gives it to one process at a time', async () => {
    const { store, claim } = await owed()
    expect(await store.notices.nextDue()).to.deep.equal(due)
    expect(await claim(after(GATHER_MS - 1))).to.deep.equal([])
    const claimed = (await Promise.all([claim(due), claim(due), claim(due)])).flat()
    expect(claimed).to.deep.equal([{ npi, kind: 'waiting', version: 1, failures: 0 }])
    expect(await store.notices.content(npi, due)).to.deep.include({
      to: 'ruth@practice.example',
      count: 1,
      offKey: 'off-key',
    })
    // The process was killed: another one sends it.
    expect(await claim(after(GATHER_MS + LEASE_MS))).to.have.length(1)
  })

  it('owes it again when something has come while it was being sent, or was not taken', async () => {
    const { store, claim, another } = await owed()
    const [first] = await claim(due)
    await another()
    await store.notices.settle(first!, { again: null, sinceThen: after(2 * GATHER_MS) })
    expect(await store.notices.nextDue()).to.deep.equal(after(2 * GATHER_MS))
    const [second] = await claim(after(2 * GATHER_MS))
    await store.notices.postpone(second!, after(3 * GATHER_MS))
    const [third] = await claim(after(3 * GATHER_MS))
    expect(third!.failures).to.equal(1)
    await store.notices.settle(third!, { again: null, sinceThen: null })
    expect(await store.notices.nextDue()).to.equal(null)
  })

  it('owes none to those who have not asked for it, and none any more when they turn it off', async () => {
    const { store, claim } = await owed()
    expect(await store.notices.turnOff('guessed', { by: OPERATOR, at: AT })).to.equal(false)
    expect(await store.notices.turnOff('off-key', { by: OPERATOR, at: AT })).to.equal(true)
    expect(await claim(due)).to.have.length(1)
    expect(await store.notices.content(npi, due)).to.equal(null)
  })
}
