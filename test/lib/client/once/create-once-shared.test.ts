/**
 * What create-once promises to everybody who shares a journal, in a sample: two processes with two objects each, killed at random,
 * and a host that lists a task a minute late. `npm run test:long` does the same with 500 documents.
 */
import { expect } from 'chai'
import { journalKinds } from '../../../support/create-race/journal-kinds.ts'
import { race } from '../../../support/create-race/race.ts'

const DOCUMENTS = 40
const KILLS = 4

describe('create-once in two processes that share a journal', function () {
  this.timeout(120_000)

  for (const [kind, open] of Object.entries(journalKinds))
    it(`makes one task of each document, by way of ${kind}`, async () => {
      const { location, stop } = await open()
      const { wrong, killed, ...figures } = await race({
        location,
        documents: DOCUMENTS,
        kills: KILLS,
        seed: 1,
      }).finally(stop)
      expect(wrong).to.deep.equal([])
      expect(figures).to.include({ tasks: DOCUMENTS, extra: 0, lost: 0 })
      expect(killed.inACreate, 'killed in the middle of creates').to.be.greaterThan(0)
      expect(figures.adopted, 'tasks whose answers were lost').to.be.greaterThan(0)
      expect(figures.duplicates, 'at most one of four objects creates or adopts').to.be.at.least(3 * DOCUMENTS)
    })
})
