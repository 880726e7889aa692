/** `npm run test:long`: what senders notice of strangers who verify without end, on a machine that does nothing else. */
import { expect } from 'chai'
import { creatingBesideStrangers, inWords } from '../support/load/strangers.ts'

const P95_LIMIT_MS = 200
const MEMORY_LIMIT_BYTES = 1e9

describe('strangers who verify large documents without end', () => {
  it('are hardly noticed by those who send', async () => {
    const noticed = await creatingBesideStrangers()
    console.log(`      ${inWords(noticed)}`)
    expect(noticed.verifications, 'verifications that were answered').to.be.greaterThan(0)
    expect(noticed.p95Ms, 'p95 in ms').to.be.lessThan(P95_LIMIT_MS)
    expect(noticed.peakBytes, 'peak of memory').to.be.lessThan(MEMORY_LIMIT_BYTES)
  })
})
