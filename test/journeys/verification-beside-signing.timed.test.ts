/** Strangers who have large documents verified without end, and senders beside them, who are not held up by it. */
import { expect } from 'chai'
import { creatingBesideStrangers, inWords } from '../support/load/strangers.ts'

/** Other tests have one of the processors meanwhile. `npm run test:long` measures alone, against a tighter limit. */
const P95_LIMIT_MS = 1_000
const MEMORY_LIMIT_BYTES = 1e9

describe('strangers who verify large documents without end', () => {
  it('do not hold up those who send, nor take the memory', async function () {
    this.timeout(90_000)
    const noticed = await creatingBesideStrangers()
    console.log(`      ${inWords(noticed)}`)
    expect(noticed.verifications, 'verifications that were answered').to.be.greaterThan(0)
    expect(noticed.p95Ms, 'p95 in ms').to.be.lessThan(P95_LIMIT_MS)
    expect(noticed.peakBytes, 'peak of memory').to.be.lessThan(MEMORY_LIMIT_BYTES)
  })
})
