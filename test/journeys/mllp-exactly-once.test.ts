/** Sixteen orders over MLLP and one kill; `npm run test:long` sends 3,000 and makes ten. */
import { expect } from 'chai'
import { mllpExactlyOnce } from '../support/node-red/under-fire/mllp-exactly-once.ts'

const MESSAGES = 16

describe('Orders over MLLP, where nothing can be relied on', function () {
  this.timeout(240_000)

  it('become one task each, and each signed document goes back once', async () => {
    const figures = await mllpExactlyOnce({
      messages: MESSAGES,
      kills: 1,
      seed: 18,
      settleSeconds: 8,
      timeoutSeconds: 2,
      listLagMs: 300,
      lateMs: 2500,
      unansweredShare: 0.1,
      withinMs: 120_000,
    })
    expect(figures).to.include({ tasks: MESSAGES, extra: 0, lost: 0, delivered: MESSAGES })
  })
})
