import { expect } from 'chai'
import { ENDPOINT_POLICY } from '../../../server/choices.ts'
import {
  afterAttempt,
  afterFinding,
  type Endpoint,
  findingSince,
  freeSlots,
  freshEndpoint,
  isOverload,
} from '../../../server/domain/delivery/endpoint.ts'
import { choose, nextChoice, type Queue } from '../../../server/domain/delivery/lanes.ts'
import { effectOf } from '../../../server/domain/delivery/subscription-change.ts'

const fresh = freshEndpoint(ENDPOINT_POLICY)
const tried = (endpoint: Endpoint, at: number, status: number | null, retryAfterMs: number | null = null) =>
  afterAttempt(
    endpoint,
    { at, failed: status !== 204, isOverloaded: status === 503 || status === 429, retryAfterMs },
    ENDPOINT_POLICY,
  )
const run = (statuses: readonly (number | null)[], everyMs = 1_000) =>
  statuses.reduce<Endpoint>((endpoint, status, index) => tried(endpoint, index * everyMs, status), fresh)
const free = (endpoint: Endpoint, now: number, underWay = 0) => freeSlots(endpoint, now, underWay)

describe('the breaker of a receiver', () => {
  it('opens when ten of ten failed, not before', () => {
    expect(free(run(Array(9).fill(500)), 9_000)).to.equal(6)
    expect(free(run(Array(10).fill(500)), 10_000)).to.equal(0)
  })

  it('opens at 70 per cent and not below', () => {
    expect(free(run([204, 204, 204, ...Array(7).fill(500)]), 10_000)).to.equal(0)
    expect(free(run([204, 204, 204, 204, ...Array(6).fill(500)]), 10_000)).to.equal(6)
  })

  it('stays closed when failures are sparse: more than five minutes apart is forgotten', () => {
    expect(free(run(Array(50).fill(500), 40_000), 50 * 40_000)).to.equal(6)
  })

  it('judges by the newest hundred attempts, however many there were before', () => {
    expect(free(run([...Array(500).fill(204), ...Array(69).fill(500)], 10), 5_690)).to.equal(6)
    expect(free(run([...Array(500).fill(204), ...Array(70).fill(500)], 10), 5_700)).to.equal(0)
  })

  it('lets one probe through after 30 s; a failed one doubles the time, up to five minutes', () => {
    let endpoint = run(Array(10).fill(500))
    expect(free(endpoint, 9_000 + 29_999)).to.equal(0)
    expect(free(endpoint, 9_000 + 30_000)).to.equal(1)
    expect(free(endpoint, 9_000 + 30_000, 1)).to.equal(0)
    for (const [openMs, at] of [
      [60_000, 40_000],
      [120_000, 200_000],
      [240_000, 400_000],
      [300_000, 800_000],
      [300_000, 1_200_000],
    ] as const) {
      endpoint = tried(endpoint, at, 500)
      expect(free(endpoint, at + openMs - 1)).to.equal(0)
      expect(free(endpoint, at + openMs)).to.equal(1)
    }
  })

  it('closes with a success, and the receiver gets more from one to the next', () => {
    let endpoint = tried(run(Array(10).fill(500)), 50_000, 204)
    expect(free(endpoint, 50_000)).to.equal(1)
    for (const slots of [2, 3, 4, 5, 6, 6]) {
      endpoint = tried(endpoint, 51_000, 204)
      expect(free(endpoint, 51_000)).to.equal(slots)
    }
  })

  it('is not opened again by what was under way when it opened', () => {
    const endpoint = tried(run(Array(10).fill(500)), 9_500, 500)
    expect(free(endpoint, 9_000 + 30_000)).to.equal(1)
  })
})

describe('what one instance finds out of a receiver', () => {
  const open = run(Array(10).fill(500))
  const heard = (endpoint: Endpoint, from: Endpoint, now: number) =>
    afterFinding(endpoint, findingSince(fresh, from)!, now, ENDPOINT_POLICY)

  it('is news only when the receiver is to be left alone, or is back', () => {
    expect(findingSince(fresh, run(Array(9).fill(500)))).to.equal(null)
    expect(findingSince(fresh, run([204, 500, 204]))).to.equal(null)
    expect(findingSince(fresh, open)).to.include({ openings: 1, pausedUntil: 39_000 })
    expect(findingSince(fresh, tried(fresh, 0.5, 503))).to.include({ openings: 0, slots: 3 })
    expect(findingSince(open, tried(open, 9_500, 500)), 'under way when it opened').to.equal(null)
    expect(findingSince(open, tried(open, 40_000, 500))).to.include({ openings: 2 })
    expect(findingSince(open, tried(open, 40_000, 204))).to.include({ openings: 0, pausedUntil: 0, slots: 1 })
  })

  it('spares the receiver in another, until the same time, and then a probe is enough', () => {
    const other = heard(tried(fresh, 8_000, 500), open, 10_000)
    expect(free(other, 38_999)).to.equal(0)
    expect(free(other, 39_000)).to.equal(1)
    const back = tried(open, 40_000, 204)
    expect(free(heard(other, back, 40_100), 40_100)).to.equal(1)
  })

  it('counts attempts, and forgets those of before when the breaker opens or closes', () => {
    expect(run([204, 500, 204]).turn).to.equal(3)
    expect([open.turn, tried(open, 40_000, 204).turn, tried(open, 9_000, 500).turn]).to.deep.equal([10, 11, 11])
    const some = run([500, 500, 204])
    const found = { ...open, foundAt: 99_000 }
    expect(heard(some, found, 99_000).recent).to.deep.equal([])
    expect(heard(open, { ...fresh, foundAt: 99_000 }, 99_000).recent).to.deep.equal([])
    expect(heard(some, { ...fresh, foundAt: 99_000, slots: 3 }, 99_000)).to.deep.include({
      recent: some.recent,
      slots: 3,
    })
  })

  it('counts only when it is newer than what the other knows', () => {
    const back = tried(open, 40_000, 204)
    expect(heard(back, open, 41_000)).to.equal(back)
  })

  it('holds at once where the clock is behind, and not for longer than any pause where a clock was wrong', () => {
    expect(free(heard(fresh, open, 7_000), 7_000)).to.equal(0)
    const hoursAhead = { ...open, pausedFrom: 7_200_000, pausedUntil: 7_230_000 }
    expect(free(heard(fresh, hoursAhead, 0), 299_999)).to.equal(0)
    expect(free(heard(fresh, hoursAhead, 0), 300_000)).to.equal(1)
  })
})

describe('a receiver that is overloaded', () => {
  it('says so by its status', () => {
    for (const status of [429, 502, 503, 504]) expect(isOverload(status), `${status}`).to.equal(true)
    for (const status of [null, 200, 400, 404, 500, 501, 505]) expect(isOverload(status), `${status}`).to.equal(false)
  })

  it('is left alone for two seconds and gets half as much', () => {
    const endpoint = tried(fresh, 0, 503)
    expect(free(endpoint, 1_999)).to.equal(0)
    expect(free(endpoint, 2_000)).to.equal(3)
    expect(free(tried(tried(endpoint, 2_000, 503), 4_000, 503), 6_000)).to.equal(1)
  })

  it('is left alone for as long as it asks, up to a minute', () => {
    expect(free(tried(fresh, 0, 429, 20_000), 19_999)).to.equal(0)
    expect(free(tried(fresh, 0, 429, 20_000), 20_000)).to.equal(3)
    expect(free(tried(fresh, 0, 429, 3_600_000), 60_000)).to.equal(3)
    const asked = tried(fresh, 0, 429, 20_000)
    expect(free(tried(asked, 100, 503), 19_999), 'a shorter pause takes nothing from a longer one').to.equal(0)
  })
})

describe('a change of a subscription', () => {
  const now = { isActive: true, url: 'https://a.example' }
  it('changes what is given and different, and decides about what waits', () => {
    for (const same of [{}, { active: true }, { url: now.url }, { active: true, url: now.url }])
      expect(effectOf(now, same)).to.equal(null)
    const url = 'https://b.example'
    expect(effectOf(now, { url })).to.deep.equal({ changed: { url }, queue: 'moved' })
    expect(effectOf({ ...now, isActive: false }, { url })).to.deep.equal({ changed: { url }, queue: 'kept' })
    expect(effectOf(now, { active: false })).to.deep.equal({ changed: { isActive: false }, queue: 'cancelled' })
    expect(effectOf({ ...now, isActive: false }, { active: true, url })).to.deep.equal({
      ...{ changed: { isActive: true, url }, queue: 'cancelled' },
    })
  })
})

describe('the lanes of the queues', () => {
  const load = (underWay = 0, retriesUnderWay = 0, endpoint = fresh) => ({ endpoint, underWay, retriesUnderWay })
  type Due = Omit<Queue, 'organizationId' | 'address' | 'finding' | 'manualDue'> & { manualDue?: number }
  const none = { all: 0, retries: 0 }
  const idle = { free: { all: 96, retries: 72 }, heldBy: () => none }
  const take = (queues: readonly Due[], loads: Record<number, ReturnType<typeof load>> = {}, all = 96, retries = 72) =>
    choose(ofOne(queues), {
      now: 1_000,
      free: { all, retries },
      heldBy: () => none,
      loadOf: ({ subscriptionId }) => loads[subscriptionId] ?? load(),
    }).map(({ subscriptionId, lane, limit }) => `${subscriptionId} ${lane} ${limit}`)

  const ofOne = (queues: readonly Due[]) =>
    queues.map((queue) => ({ organizationId: 1, address: 'a', finding: null, manualDue: null, ...queue }))

  it('keeps slots for first attempts that retries never get', () => {
    expect(take([{ subscriptionId: 1, firstDue: null, retryDue: 0 }])).to.deep.equal(['1 retry 4'])
    expect(take([{ subscriptionId: 1, firstDue: null, retryDue: 0 }], { 1: load(4, 4) })).to.deep.equal([])
    expect(take([{ subscriptionId: 1, firstDue: 0, retryDue: 0 }], { 1: load(4, 4) })).to.deep.equal(['1 first 2'])
    expect(take([{ subscriptionId: 1, firstDue: null, retryDue: 0 }], {}, 24, 0)).to.deep.equal([])
    expect(take([{ subscriptionId: 1, firstDue: 0, retryDue: 0 }], {}, 24, 0)).to.deep.equal(['1 first 6'])
    expect(take([{ subscriptionId: 1, firstDue: 0, retryDue: 0 }])).to.deep.equal(['1 retry 3', '1 first 3'])
  })

  it('serves the idlest subscription first, then who waits longest', () => {
    const queues = [1, 2, 3].map((id) => ({ subscriptionId: id, firstDue: 900 - id, retryDue: null }))
    expect(take(queues, { 3: load(5) }, 14)).to.deep.equal(['2 first 6', '1 first 1'])
  })

  it('takes no more than the rate of a receiver allows, and knows when it allows one again', () => {
    const queues = [1, 2].map((id) => ({ subscriptionId: id, firstDue: 0, retryDue: null }))
    const limited = (allowed: number, from = 0) => ({ ...load(), rate: { allowed, from } })
    expect(take(queues, { 1: limited(2) })).to.deep.equal(['1 first 2', '2 first 6'])
    expect(take(queues, { 1: limited(0) })).to.deep.equal(['2 first 6'])
    expect(nextChoice(ofOne(queues.slice(0, 1)), { ...idle, loadOf: () => limited(0, 7_000) })).to.equal(7_000)
  })

  it('takes turns between the lanes where there is room for one', () => {
    const both = [{ subscriptionId: 1, firstDue: 0, retryDue: 0 }]
    expect(take(both, { 1: load(0, 0, { ...fresh, slots: 1, turn: 0 }) })).to.deep.equal(['1 first 1'])
    expect(take(both, { 1: load(0, 0, { ...fresh, slots: 1, turn: 1 }) })).to.deep.equal(['1 retry 1'])
  })

  it('leaves what is not due, and knows when it will be', () => {
    const queues = [{ subscriptionId: 1, firstDue: 5_000, retryDue: 9_000 }]
    expect(take(queues)).to.deep.equal([])
    expect(take([{ subscriptionId: 1, firstDue: 1_000, retryDue: null }]), 'due at this moment').to.deep.equal([
      '1 first 6',
    ])
    expect(take([{ subscriptionId: 1, firstDue: 1_001, retryDue: null }])).to.deep.equal([])
    expect(nextChoice(ofOne(queues), { ...idle, loadOf: () => load() })).to.equal(5_000)
    expect(nextChoice(ofOne(queues), { ...idle, loadOf: () => load(0, 0, { ...fresh, pausedUntil: 7_000 }) })).to.equal(
      7_000,
    )
    expect(nextChoice(ofOne(queues), { ...idle, loadOf: () => load(6) })).to.equal(null)
    expect(nextChoice([], { ...idle, loadOf: () => load() })).to.equal(null)
  })

  it('sends what was resent by hand although the receiver is paused, and nothing else', () => {
    const paused = load(0, 0, { ...fresh, openings: 1, pausedUntil: 9_000 })
    const waiting = [{ subscriptionId: 1, firstDue: 0, retryDue: 0 }]
    const byHand = [{ ...waiting[0]!, manualDue: 500 }]
    expect(take(waiting, { 1: paused })).to.deep.equal([])
    expect(take(byHand, { 1: paused })).to.deep.equal([`1 manual ${fresh.slots}`])
    expect(take(byHand, { 1: load() }), 'not paused').not.to.include('1 manual 6')
    expect(take([{ ...waiting[0]!, manualDue: 1_001 }], { 1: paused }), 'not due').to.deep.equal([])
    expect(take(byHand, { 1: { ...paused, underWay: fresh.slots } }), 'busy').to.deep.equal([])
    expect(nextChoice(ofOne(waiting), { ...idle, loadOf: () => paused })).to.equal(9_000)
    expect(nextChoice(ofOne(byHand), { ...idle, loadOf: () => paused })).to.equal(500)
  })

  it('sends a retry that was resent by hand although no retry has room', () => {
    const byHand = [{ subscriptionId: 1, firstDue: null, retryDue: 0, manualDue: 0 }]
    expect(take(byHand, {}, 24, 0)).to.deep.equal(['1 manual 6'])
  })

  it('leaves an organization half of what is free, and keeps something for the last comer', () => {
    const queues = [1, 2, 3].flatMap((organizationId) =>
      Array.from({ length: 50 }, (_, n) => {
        const subscriptionId = organizationId * 100 + n
        const due = { firstDue: organizationId, retryDue: null, manualDue: null }
        return { organizationId, subscriptionId, address: 'a', finding: null, ...due }
      }),
    )
    const held = (now: Record<number, number>) => (id: number) => ({ all: now[id] ?? 0, retries: 0 })
    const taken = (now: Record<number, number>, free: number, of = queues) => {
      const chosen = choose(of, {
        now: 1_000,
        free: { all: free, retries: 72 },
        heldBy: held(now),
        loadOf: () => load(),
      })
      return [1, 2, 3].map((organizationId) =>
        chosen
          .filter(({ subscriptionId }) => Math.floor(subscriptionId / 100) === organizationId)
          .reduce((sum, { limit }) => sum + limit, 0),
      )
    }
    expect(taken({}, 96, queues.slice(0, 50)), 'alone').to.deep.equal([48, 0, 0])
    expect(taken({ 1: 48 }, 48, queues.slice(0, 50)), 'alone, again').to.deep.equal([0, 0, 0])
    expect(taken({ 1: 48 }, 48), 'the two others').to.deep.equal([0, 24, 12])
    expect(taken({ 1: 48, 2: 24 }, 24)).to.deep.equal([0, 0, 12])
    expect(taken({ 1: 48, 2: 47 }, 1), 'the last place').to.deep.equal([0, 0, 1])
    const later = { free: { all: 48, retries: 72 }, heldBy: held({ 1: 48 }), loadOf: () => load() }
    expect(nextChoice(queues.slice(0, 50), later), 'nothing to look for before an attempt ends').to.equal(null)
    expect(nextChoice(queues.slice(0, 51), later)).to.equal(2)
  })

  it('gives one organization half of the retries, and looks for none while it has no room for them', () => {
    const queues = Array.from({ length: 50 }, (_, id) => ({
      organizationId: 1,
      subscriptionId: id,
      address: 'a',
      finding: null,
      firstDue: null,
      retryDue: 5,
      manualDue: null,
    }))
    const chosen = choose(queues, { now: 1_000, ...idle, loadOf: () => load() })
    expect(chosen.reduce((sum, { limit }) => sum + limit, 0)).to.equal(36)
    const busy = { free: { all: 60, retries: 36 }, heldBy: () => ({ all: 36, retries: 36 }), loadOf: () => load() }
    expect(nextChoice(queues, busy)).to.equal(null)
    expect(nextChoice([{ ...queues[0]!, firstDue: 9 }], busy)).to.equal(9)
  })
})
