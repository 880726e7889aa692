/** GETs are repeated when the client is told so, at the times the host asks for; nothing else ever is. */
import { expect } from 'chai'
import type { ClientOptions } from '../../../../lib/client/client-settings.ts'
import { systemClock } from '../../../../lib/clock.ts'
import { aCreateBody } from '../../support/bodies.ts'
import { type AHost, aHost, type Planned } from './a-host.ts'
import { failureOf } from './failure-of.ts'

const DATE = 'Thu, 15 Jan 2026 09:30:00 GMT'
const busy = (retryAfter: string): Planned => ({ status: 503, headers: { 'retry-after': retryAfter, date: DATE } })

describe('the retries of a client', () => {
  let host: AHost
  let pauses: number[]
  const clock = {
    ...systemClock,
    async sleep(ms: number, signal?: AbortSignal) {
      signal?.throwIfAborted()
      pauses.push(ms)
    },
  }
  const clientOf = (options: Partial<ClientOptions> = {}) =>
    host.client({ retries: 3, clock, random: () => 0.5, ...options })

  before(async () => {
    host = await aHost()
  })
  after(() => host.stop())
  beforeEach(() => {
    pauses = []
  })

  it('are off unless they are asked for', async () => {
    host.plan(null, {})
    await failureOf(clientOf({ retries: undefined as never }).listTemplates())
    expect(host.requests).to.have.length(1)
  })

  it('go on until an answer comes, with growing pauses', async () => {
    host.plan(null, { status: 500 }, 'never', {})
    const attempts: number[] = []
    const client = clientOf({ timeoutMs: 1000, onRequest: ({ attemptNumber }) => attempts.push(attemptNumber) })
    expect(await client.listTemplates()).to.deep.equal([])
    expect(pauses).to.deep.equal([1000, 2000, 4000])
    expect(attempts).to.deep.equal([1, 2, 3, 4])
  })

  it('end after as many as were asked for, with the last error', async () => {
    host.plan({ status: 500 }, { status: 500 }, { status: 500 }, { status: 502 }, {})
    const failure = await failureOf(clientOf().listTemplates())
    expect(failure).to.include({ name: 'UnreachableError', code: 'HTTP_502' })
    expect(host.requests).to.have.length(4)
  })

  it('wait as long as the host asks, in seconds or until a date, and never less', async () => {
    host.plan({ status: 429, headers: { 'retry-after': '7' } }, busy('Thu, 15 Jan 2026 09:30:30 GMT'), busy('1'), {})
    await clientOf({ random: () => 0 }).listTemplates()
    expect(pauses).to.deep.equal([7000, 30_000, 4000])
  })

  it('do not wait longer than a minute, nor come earlier than asked: the caller is told', async () => {
    host.plan(busy('61'), {})
    const failure = await failureOf(clientOf().listTemplates())
    expect(failure).to.include({ code: 'HTTP_503', retryAfterSeconds: 61 })
    expect([pauses, host.requests.length]).to.deep.equal([[], 1])
  })

  for (const status of [400, 401, 403, 404, 302])
    it(`are no answer to ${status}`, async () => {
      host.plan({ status }, {})
      await failureOf(clientOf().listTemplates())
      expect(host.requests).to.have.length(1)
    })

  it('never repeat what changes something', async () => {
    const client = clientOf({ retries: 10 })
    const calls = {
      createTask: () => client.createTask({ body: aCreateBody() }),
      updateTask: () => client.updateTask({ params: { id: 7 }, query: { externalSavedDocumentId: 'S1' } }),
      retractTask: () => client.retractTask({ params: { id: 7 } }),
      createSubscription: () => client.createSubscription({ body: { url: 'https://ehr.example.org/hook' } }),
      updateSubscription: () => client.updateSubscription({ params: { id: 1 }, body: { active: true } }),
      deleteSubscription: () => client.deleteSubscription({ params: { id: 1 } }),
    }
    for (const [name, call] of Object.entries(calls))
      for (const plan of [null, busy('1'), { status: 429, headers: { 'retry-after': '1' } }]) {
        host.plan(plan, {})
        await failureOf(call())
        expect(host.requests.length, name).to.equal(1)
      }
  })

  it('end when the caller does not want the answer any more', async () => {
    host.plan(null, {})
    const stop = new AbortController()
    const client = clientOf({
      clock: systemClock,
      onResponse: () => setTimeout(() => stop.abort(new Error('closing')), 20),
    })
    const failure = await failureOf(client.listTemplates({}, { signal: stop.signal }))
    expect([failure.message, host.requests.length]).to.deep.equal(['closing', 1])
  })
})
