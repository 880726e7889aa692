/** `npm run test:long`: two processes and four create-once objects send 500 documents by way of one journal, killed at random. */
import { expect } from 'chai'
import { journalKinds } from '../support/create-race/journal-kinds.ts'
import { race } from '../support/create-race/race.ts'

/** `SEED=…` repeats a run, but for the moments of the kills at work. */
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const DOCUMENTS = 500
const KILLS = 24

describe(`${DOCUMENTS} documents, two processes that are killed at random, and a host that lists after a minute`, () => {
  for (const [kind, open] of Object.entries(journalKinds))
    it(`become ${DOCUMENTS} tasks by way of a journal in ${kind}`, async () => {
      const { location, stop } = await open()
      const { wrong, ...figures } = await race({ location, documents: DOCUMENTS, kills: KILLS, seed }).finally(stop)
      console.log(`      SEED=${seed}`, JSON.stringify(figures))
      expect(figures).to.include({ tasks: DOCUMENTS, extra: 0, lost: 0 })
      expect(wrong).to.deep.equal([])
    })
})
