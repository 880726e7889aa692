/** Lists and counts where there is more than they show. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { searchFor } from '../../../../lib/search.ts'
import { FIRST_TASK_ID, SEARCHED_AT_ONCE } from '../../../../server/choices.ts'
import { findPast } from '../../../../server/operations/signer/past/search.ts'
import { openStore, type Store } from '../../../../server/store/store.ts'
import { aFolder } from '../../../support/a-folder.ts'
import { MASTER_KEY, manyTasks, SENDER, SIGNER_NPI } from '../../../support/store/many-tasks.ts'
import { timeOf } from '../../../support/store/rows-of-a-task.ts'

describe('Lists of more than a page', function () {
  this.timeout(60_000)
  let store: Store
  before(async () => {
    const data = join(aFolder(), 'data')
    mkdirSync(data, { mode: 0o700 })
    await manyTasks(data, MASTER_KEY, 25_000)
    store = await openStore(data, MASTER_KEY)
  })
  after(() => store.close())

  const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)

  it('are the same in pages as at once, newest first, for several states of deliveries too', async () => {
    const filter = { states: ['failed', 'cancelled', 'failed'] as const, organizationId: SENDER }
    const all = idsOf(await store.deliveries.list(filter, 10_000))
    expect(all.length).to.be.above(200)
    expect(all).to.deep.equal([...new Set(all)].sort((a, b) => b - a))
    const paged: number[] = []
    for (let page = [0]; page.length > 0; paged.push(...page))
      page = idsOf(await store.deliveries.list(filter, 70, paged.at(-1)))
    expect(paged).to.deep.equal(all)
  })

  it('of the console are the same in pages as at once, of all tasks and of some', async () => {
    for (const filter of [{}, { status: 'Failed' }, { inReview: true }] as const)
      for (const whose of [null, SENDER]) {
        const { list } = store.overview(whose)
        const all = (await list({ ...filter, limit: 200 })).map(({ taskId }) => taskId)
        const paged: number[] = []
        while (paged.length < all.length) {
          const page = await list({ ...filter, limit: 15, before: paged.at(-1) })
          paged.push(...page.map(({ taskId }) => taskId))
        }
        expect(all.length).to.be.above(30)
        expect(paged.slice(0, all.length)).to.deep.equal(all)
      }
  })

  it('hold the events from a time on, and none from before', async () => {
    const since = timeOf(24_000)
    const found = await store.deliveries.list({ since: new Date(since) }, 10_000)
    const all = await store.deliveries.list({}, 100_000)
    expect(found).to.deep.equal(all.filter(({ occurredAt }) => occurredAt >= since))
    expect(found.length).to.be.above(900)
  })

  it('show an inbox its oldest documents, and a history its newest', async () => {
    const inbox = store.forSigner(SIGNER_NPI, { kind: 'signer', id: null })
    const waiting = await inbox.waiting(1_000)
    expect(waiting.length).to.be.above(100)
    expect(await inbox.waiting(50)).to.deep.equal(waiting.slice(0, 50))
    expect(waiting.map(({ taskId }) => taskId)).to.deep.equal(waiting.map(({ taskId }) => taskId).sort((a, b) => a - b))
    const past = await inbox.past(10_000)
    expect(past.map(({ outcome }) => outcome)).to.include.members(['Completed', 'Rejected'])
    expect(await inbox.past(50, past[49]!.taskId)).to.deep.equal(past.slice(50, 100))
  })

  it('are searched step by step, to the end of the history', async () => {
    const inbox = store.forSigner(SIGNER_NPI, { kind: 'signer', id: null })
    const search = (before?: number) => findPast(inbox, searchFor('order'), before)
    const all = (await inbox.past(10_000)).map(({ taskId }) => taskId)
    const found: number[] = []
    for (let before: number | undefined, isMore = true; isMore; ) {
      const { documents, goesOnBefore } = await search(before)
      found.push(...documents.map(({ taskId }) => taskId))
      before = goesOnBefore ?? undefined
      isMore = goesOnBefore !== null
    }
    expect(found).to.deep.equal(all)
    const nothing = await findPast(inbox, searchFor('nobody'), undefined)
    expect(nothing).to.deep.equal({ documents: [], goesOnBefore: all[SEARCHED_AT_ONCE - 1] })
  })

  it('are counted to the end, also where they are longer than any page', async () => {
    const counts = await store.overview(null).counts()
    expect(counts.pending).to.be.above(1_001)
    expect(counts.inReview).to.be.within(30, 200)
    expect((await store.overview(2).counts()).pending).to.be.within(1, 200)
  })

  it('hold no task in review whose status says otherwise', async () => {
    const list = store.overview(null).list
    expect(await list({ inReview: true, status: 'Pending', limit: 10 })).to.deep.equal([])
    expect(await list({ inReview: true, status: 'Processing', limit: 10 })).to.have.length(10)
    const [oldest] = (await list({ inReview: true, limit: 500 })).slice(-1)
    expect(oldest!.taskId).to.equal(FIRST_TASK_ID + 2)
  })
})
