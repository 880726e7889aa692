/** `npm run test:long`: 3,000 orders over MLLP, with Node-RED killed ten times and a host that lists after a minute. */
import { expect } from 'chai'
import { mllpExactlyOnce } from '../../support/node-red/under-fire/mllp-exactly-once.ts'

/** `SEED=…` draws the same numbers, though not for the same messages; `MESSAGES=…` sends fewer of them. */
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const MESSAGES = Number(process.env.MESSAGES ?? 3000)
const MINUTE = 60_000

describe(`${MESSAGES} orders over MLLP, where nothing can be relied on`, () => {
  it('become one task each, and each signed document goes back once', async () => {
    const figures = await mllpExactlyOnce({
      messages: MESSAGES,
      kills: 10,
      seed,
      settleSeconds: 120,
      timeoutSeconds: 10,
      listLagMs: MINUTE,
      lateMs: 25_000,
      unansweredShare: 0.02,
      withinMs: 55 * MINUTE,
    })
    console.log(`      SEED=${seed}`, JSON.stringify(figures))
    expect(figures).to.include({ tasks: MESSAGES, extra: 0, lost: 0, delivered: MESSAGES })
  })
})
