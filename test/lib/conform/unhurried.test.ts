/** A host that puts a request off is asked again when it says so. */
import { expect } from 'chai'
import type { PlainAnswer } from '../../../lib/conform/exchange.ts'
import { unhurried } from '../../../lib/conform/unhurried.ts'
import { FakeClock } from '../../support/fake-clock.ts'

const REQUEST = { method: 'GET', url: 'https://host.example', headers: {} }

const answered = (status: number, retryAfter?: string): PlainAnswer => ({
  status,
  headers: new Headers(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }),
  body: undefined,
})

/** Sends to a host with these answers, the last of them for good. Returns the status that came, and when it was asked. */
async function asked(answers: readonly PlainAnswer[]) {
  const clock = new FakeClock(0)
  const times: number[] = []
  const send = unhurried(async () => {
    times.push(clock.now() / 1000)
    return answers[Math.min(times.length, answers.length) - 1]!
  }, clock)
  const { status } = await clock.until(send(REQUEST))
  return { status, times }
}

describe('A request of the rules', () => {
  it('is sent again after the pause of a host that is busy, or limits its calls', async () => {
    const answers = [answered(503, '2'), answered(429, '30'), answered(201)]
    expect(await asked(answers)).to.deep.equal({ status: 201, times: [0, 2, 32] })
  })

  it('is answered by a refusal that says no time', async () => {
    for (const status of [429, 503, 500]) expect(await asked([answered(status)])).to.deep.equal({ status, times: [0] })
  })

  it('does not wait for other refusals, nor for longer than a minute', async () => {
    expect(await asked([answered(400, '1')])).to.deep.equal({ status: 400, times: [0] })
    expect(await asked([answered(503, '61')])).to.deep.equal({ status: 503, times: [0] })
  })

  it('is sent five times at most', async () => {
    expect(await asked([answered(503, '1')])).to.deep.equal({ status: 503, times: [0, 1, 2, 3, 4] })
  })
})
