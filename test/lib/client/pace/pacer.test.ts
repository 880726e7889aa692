/** Calls to a host with a rate limit: none fails, and the rate of the host is used. */
import { expect } from 'chai'
import { RateLimitedError, RefusedError, UnreachableError } from '../../../../lib/client/errors.ts'
import { createPacer, type PacerOptions } from '../../../../lib/client/pace/pacer.ts'
import type { Queue } from '../../../../lib/client/pace/queue.ts'
import { FakeClock } from '../../../support/fake-clock.ts'
import { byTheMinute, type Counting, evenly, limitedHost } from './limited-host.ts'

const PATIENCE_MS = 600_000
const READ = { operation: 'readTask', isRepeatable: true } as const

describe('calls to a host that limits them', () => {
  let clock: FakeClock
  beforeEach(() => {
    clock = new FakeClock()
  })

  const aPacer = (more: Partial<PacerOptions> = {}) =>
    createPacer({ concurrency: 5, patienceMs: PATIENCE_MS, clock, random: () => 0.5, ...more })
  const many = (length: number) => Array.from({ length }, (_, id) => id)
  const failureOf = (work: Promise<unknown>) =>
    clock.until(
      work.then(
        () => new Error('it should have failed'),
        (failure) => failure,
      ),
    )

  const hosts: [string, Counting, boolean, number, number][] = [
    ['fills evenly', evenly, true, 1.05, 0.2],
    ['counts by the minute', byTheMinute, true, 1.15, 0.2],
    ['does not say when to come again', evenly, false, 1.05, 0.25],
  ]
  for (const [what, count, saysWhen, longest, mostRefused] of hosts)
    it(`lets 200 of 200 through to a host that takes 20 a minute and ${what}`, async () => {
      const host = limitedHost({ clock, count, saysWhen })
      const pacer = aPacer()
      const start = clock.now()
      const results = await clock.until(Promise.all(many(200).map((id) => pacer.run(() => host.call(id), READ))))
      const minutes = (clock.now() - start) / 60_000
      expect(results).to.deep.equal(many(200))
      expect(minutes, 'the first 20 go at once').to.be.lessThan((180 / 20) * longest)
      expect(host.seen.refused / 200, 'refusals').to.be.lessThan(mostRefused)
      expect(host.seen.mostAtOnce).to.be.at.most(5)
    })

  it('keeps the order of the calls', async () => {
    const host = limitedHost({ clock })
    const pacer = aPacer({ concurrency: 1 })
    await clock.until(Promise.all(many(60).map((id) => pacer.run(() => host.call(id), READ))))
    expect(host.seen.taken).to.deep.equal(many(60))
  })

  it('holds up nobody when the host takes them all', async () => {
    const host = limitedHost({ clock, perMinute: 6000 })
    const pacer = aPacer()
    const start = clock.now()
    await clock.until(Promise.all(many(100).map((id) => pacer.run(() => host.call(id), READ))))
    expect(clock.now() - start).to.equal((100 / 5) * 100)
    expect(clock.timers).to.equal(0)
  })

  it('sends a burst after a rest, and finds the new rate when the host takes more', async () => {
    const pacer = aPacer()
    const slow = limitedHost({ clock })
    await clock.until(Promise.all(many(60).map((id) => pacer.run(() => slow.call(id), READ))))
    await clock.pass(120_000)
    const start = clock.now()
    await clock.until(Promise.all(many(15).map((id) => pacer.run(() => slow.call(id), READ))))
    expect(clock.now() - start, 'a burst').to.be.at.most(1000)
    const fast = limitedHost({ clock, perMinute: 6000 })
    await clock.until(Promise.all(many(400).map((id) => pacer.run(() => fast.call(id), READ))))
    expect((clock.now() - start) / 60_000, 'at the old rate it would have been 20').to.be.lessThan(6)
  })

  it('tells how many wait, and until when, each second', async () => {
    const told: (Queue | null)[] = []
    const pacer = aPacer({ onQueue: (queue) => told.push(queue) })
    const host = limitedHost({ clock })
    const work = Promise.all(many(38).map((id) => pacer.run(() => host.call(id), READ)))
    await clock.pass(20_000)
    const { reason, count, ms } = told.at(-1)!
    expect(reason).to.equal('rateLimited')
    expect(count).to.be.within(8, 14)
    expect(ms / 1000, 'three seconds each').to.be.within(count * 2, count * 4)
    expect(told.length).to.be.within(15, 30)
    await clock.until(work)
    await clock.pass(1000)
    expect(told.at(-1)).to.equal(null)
    expect(clock.timers).to.equal(0)
  })

  describe('and wants to be left alone for longer than the patience', () => {
    it('fails with what the host said, those that wait at once', async () => {
      const asked = new RateLimitedError('readTask', ['come tomorrow'], 86_400)
      const pacer = aPacer({ concurrency: 1 })
      const start = clock.now()
      const calls = many(3).map(() => failureOf(pacer.run(() => Promise.reject(asked), READ)))
      for (const failure of await Promise.all(calls))
        expect(failure).to.include({ code: 'RATE_LIMITED', status: 429 }).and.instanceOf(RateLimitedError)
      expect(clock.now()).to.equal(start)
      const sent: number[] = []
      const late = await failureOf(pacer.run(async () => sent.push(1), { ...READ, operation: 'listTasks' }))
      expect(late.message).to.match(/^listTasks: refused with 429. come tomorrow/)
      expect(sent, 'the host is left alone').to.deep.equal([])
    })

    it('asks a host that names a year again after an hour', async () => {
      const pacer = aPacer({ concurrency: 1 })
      const asked = new UnreachableError('readTask', 'HTTP_503', true, 31_536_000)
      await failureOf(pacer.run(() => Promise.reject(asked), READ))
      expect(await failureOf(pacer.run(async () => 'too early', READ))).to.include({ code: 'HTTP_503' })
      await clock.pass(80 * 60_000)
      expect(await clock.until(pacer.run(async () => 'back', READ))).to.equal('back')
    })

    it('fails when nothing was let through for that long, and not before', async () => {
      const pacer = aPacer()
      const start = clock.now()
      let sent = 0
      const never = () => Promise.reject(new RateLimitedError('readTask', ['no'], 30 * Math.min(1, ++sent)))
      expect(await failureOf(pacer.run(never, READ))).to.include({ code: 'RATE_LIMITED' })
      expect(clock.now() - start).to.be.within(PATIENCE_MS - 40_000, PATIENCE_MS)
      expect(sent, 'each after the pause that was asked for').to.be.within(15, 20)
      await clock.pass(200_000)
      expect(await clock.until(pacer.run(async () => 'again', READ))).to.equal('again')
    })
  })

  describe('and is busy', () => {
    const busy = new UnreachableError('readTask', 'HTTP_503', true, 7)
    const twice = (failure: Error) => {
      let left = 1
      return async () => {
        if (left-- > 0) throw failure
        return clock.now()
      }
    }

    it('asks again when the host said it would take it', async () => {
      const start = clock.now()
      const at = await clock.until(aPacer().run(twice(busy), READ))
      expect(at - start).to.equal(7700)
    })

    it('does not repeat what may have been done, but spares the host', async () => {
      const pacer = aPacer()
      const start = clock.now()
      const post = pacer.run(twice(busy), { operation: 'createTask', isRepeatable: false })
      expect(await failureOf(post)).to.equal(busy)
      expect((await clock.until(pacer.run(async () => clock.now(), READ))) - start).to.equal(7700)
    })
  })

  it('passes every other failure on', async () => {
    const pacer = aPacer()
    for (const failure of [
      new RefusedError('readTask', 404, ['no']),
      new UnreachableError('readTask', 'HTTP_500', true),
    ])
      expect(await failureOf(pacer.run(() => Promise.reject(failure), READ))).to.equal(failure)
  })

  it('waits out the pause of a host that has let another call through since, however long the pause is', async () => {
    const pacer = aPacer()
    const asked = new RateLimitedError('readTask', ['later'], 1200)
    let pass = () => {}
    const underWay = pacer.run(() => new Promise<void>((resolve) => (pass = resolve)), READ)
    expect(await failureOf(pacer.run(() => Promise.reject(asked), READ))).to.equal(asked)
    pass()
    await underWay
    const start = clock.now()
    expect(await clock.until(pacer.run(async () => clock.now() - start, READ))).to.be.at.least(1_200_000)
  })

  it('waits for as long as the timeout, and not a moment longer', async () => {
    for (const [seconds, right] of [
      [PATIENCE_MS / 1000, 'sent'],
      [PATIENCE_MS / 1000 + 1, 'refused'],
    ] as const) {
      const pacer = aPacer({ random: () => 0 })
      let refusals = 1
      const send = async () => {
        if (refusals-- > 0) throw new RateLimitedError('readTask', ['later'], seconds)
        return 'sent'
      }
      expect(await clock.until(pacer.run(send, READ).catch(() => 'refused')), `${seconds}`).to.equal(right)
    }
  })

  it('counts the timeout from the first refusal after a rest', async () => {
    const pacer = aPacer()
    const closing = new AbortController()
    const busy = () => Promise.reject(new RateLimitedError('readTask', ['later'], 30))
    const first = pacer.run(busy, { ...READ, signal: closing.signal })
    await clock.pass(1000)
    closing.abort(new Error('closed'))
    expect(await first.catch((error: Error) => error.message)).to.equal('closed')
    await clock.pass(3_600_000)
    let refusals = 1
    const send = async () => (refusals-- > 0 ? busy() : 'sent')
    expect(await clock.until(pacer.run(send, READ))).to.equal('sent')
  })

  it('sends those that were refused together in their order', async () => {
    const pacer = aPacer({ concurrency: 3 })
    const sent: number[] = []
    let refusals = 3
    const send = (id: number) => async () => {
      if (refusals-- > 0) throw new RateLimitedError('readTask', ['later'], 5)
      sent.push(id)
    }
    await clock.until(Promise.all([1, 2, 3].map((id) => pacer.run(send(id), READ))))
    expect(sent).to.deep.equal([1, 2, 3])
  })

  it('sends more calls after a host that was busy once', async () => {
    const pacer = aPacer({ concurrency: 1 })
    let refusals = 1
    const send = async () => {
      if (refusals-- > 0) throw new UnreachableError('readTask', 'HTTP_503', true, 7)
      return clock.now()
    }
    const times = await clock.until(Promise.all(many(4).map(() => pacer.run(send, READ))))
    expect(new Set(times)).to.have.property('size', 1)
  })

  it('names no queue while calls wait for each other alone', async () => {
    const queues: unknown[] = []
    const pacer = aPacer({ concurrency: 1, onQueue: (queue) => queues.push(queue) })
    await clock.until(Promise.all(many(5).map((id) => pacer.run(() => clock.sleep(2000).then(() => id), READ))))
    expect(queues.filter((queue) => queue !== null)).to.deep.equal([])
  })

  it('leaves a call that is under way to end by itself when it is aborted', async () => {
    const pacer = aPacer()
    const closing = new AbortController()
    let end = (_: string) => {}
    const call = pacer.run(() => new Promise<string>((resolve) => (end = resolve)), { ...READ, signal: closing.signal })
    closing.abort(new Error('closed'))
    end('it was done all the same')
    expect(await call).to.equal('it was done all the same')
  })

  it('lets a call go that is aborted while it waits', async () => {
    const pacer = aPacer({ concurrency: 1 })
    const host = limitedHost({ clock, perMinute: 1 })
    const closing = new AbortController()
    const calls = many(3).map((id) => pacer.run(() => host.call(id), { ...READ, signal: closing.signal }))
    expect(await clock.until(calls[0]!)).to.equal(0)
    await clock.pass(5000)
    closing.abort(new Error('closed'))
    for (const call of calls.slice(1)) expect(await call.catch((failure: Error) => failure.message)).to.equal('closed')
    await clock.pass(1000)
    expect(clock.timers).to.equal(0)
  })
})
