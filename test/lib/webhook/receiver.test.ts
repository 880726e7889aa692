/** Each event is handed over once, even when deliveries, stores and handlers fail. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { StatusEvent } from '../../../lib/contract/event.ts'
import { openJournal } from '../../../lib/journal/open.ts'
import { createOnceStore, type OnceStore } from '../../../lib/webhook/once-store.ts'
import { createReceiver, type ReceiverOptions } from '../../../lib/webhook/receiver.ts'
import { FakeClock, settle } from '../../support/fake-clock.ts'
import { realTimePasses } from '../../support/real-time.ts'
import { aDelivery, OTHER_SECRET, SECRET } from '../support/delivery.ts'

const otherEvent = '00000000-0000-4000-8000-000000000002'

describe('the receiver', () => {
  const folder = mkdtempSync(join(tmpdir(), 'receiver-'))
  const file = join(folder, 'events.sqlite')
  const closers: (() => Promise<void>)[] = []
  let clock: FakeClock

  beforeEach(() => {
    clock = new FakeClock()
  })
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
    rmSync(file, { force: true })
    rmSync(`${file}-wal`, { force: true })
    rmSync(`${file}-shm`, { force: true })
  })
  after(() => rmSync(folder, { recursive: true }))

  async function aStore(location = ':memory:'): Promise<OnceStore> {
    const journal = await openJournal(location, 'webhook')
    closers.push(() => journal.close())
    return createOnceStore(journal, { now: clock.now })
  }

  async function aReceiver(options: Partial<ReceiverOptions> = {}, location?: string) {
    const events: StatusEvent[] = []
    const duplicates: StatusEvent[] = []
    const errors: unknown[] = []
    const receiver = createReceiver({
      secrets: [SECRET],
      store: options.store ?? (await aStore(location)),
      onEvent: (event) => events.push(event),
      onDuplicate: (event) => duplicates.push(event),
      onError: (error) => errors.push(error),
      clock,
      ...options,
    })
    return { receiver, events, duplicates, errors, ...receiver }
  }

  const delivery = (event: Partial<StatusEvent> = {}) => aDelivery(event, { at: clock.now() })

  describe('of a genuine event', () => {
    it('answers 200 and hands it over', async () => {
      const { receive, events } = await aReceiver()
      const { status, outcome, event } = await receive(delivery())
      expect([status, outcome]).to.deep.equal([200, 'accepted'])
      expect(events).to.deep.equal([event])
    })

    it('hands it over once when it comes twice, and says so', async () => {
      const { receive, events, duplicates } = await aReceiver()
      await receive(delivery())
      await clock.pass(200_000)
      const again = await receive(delivery())
      expect([again.status, again.outcome]).to.deep.equal([200, 'duplicate'])
      expect([events.length, duplicates.length]).to.deep.equal([1, 1])
    })

    it('hands it over once when it comes 50 times at once', async () => {
      const { receive, events, duplicates } = await aReceiver({}, file)
      const answers = await Promise.all(Array.from({ length: 50 }, () => receive(delivery())))
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(50).fill(200))
      expect([events.length, duplicates.length]).to.deep.equal([1, 49])
    })

    it('knows it after a restart', async () => {
      const first = await aReceiver({}, file)
      await first.receive(delivery())
      await closers.pop()?.()
      const second = await aReceiver({}, file)
      expect((await second.receive(delivery())).outcome).to.equal('duplicate')
      expect(second.events).to.deep.equal([])
    })

    it('hands it over once when two processes share the file', async () => {
      const one = await aReceiver({ onEvent: () => settle() }, file)
      const two = await aReceiver({}, file)
      const [first, second] = await Promise.all([one.receive(delivery()), two.receive(delivery())])
      expect(first.status).to.equal(200)
      expect([second.status, second.headers['retry-after']]).to.deep.equal([503, '30'])
      expect(two.events).to.deep.equal([])
      expect((await two.receive(delivery())).outcome).to.equal('duplicate')
    })

    it('forgets it after its time, when nobody repeats it any more', async () => {
      const { receive, events } = await aReceiver({ store: await aStoreWithTtl(50) })
      await receive(delivery({ taskId: 1 }))
      await realTimePasses(60)
      await receive(delivery({ taskId: 2 }))
      expect(events.length).to.equal(2)
    })

    it('asks for the secrets each time, so that they may be replaced', async () => {
      let secrets = [OTHER_SECRET]
      const { receive } = await aReceiver({ secrets: async () => secrets })
      expect((await receive(delivery())).code).to.equal('no_match')
      secrets = [OTHER_SECRET, SECRET]
      expect((await receive(delivery())).status).to.equal(200)
    })
  })

  async function aStoreWithTtl(ttlMs: number) {
    const journal = await openJournal(':memory:', 'webhook')
    closers.push(() => journal.close())
    return createOnceStore(journal, { now: clock.now, ttlMs })
  }

  describe('of a forged one', () => {
    it('answers 400 with the code and hands nothing over', async () => {
      const { receive, events, errors } = await aReceiver({ secrets: [OTHER_SECRET] })
      const { status, outcome, code, body } = await receive(delivery())
      expect([status, outcome, code]).to.deep.equal([400, 'refused', 'no_match'])
      expect(JSON.parse(body)).to.deep.equal({ errors: ['no_match'] })
      expect(events).to.deep.equal([])
      expect(errors).to.have.length(1)
    })

    it('answers 500 when the fault is its own, so that the sender tries again', async () => {
      const { receive } = await aReceiver()
      const parsed = await receive({ ...delivery(), payload: { eventId: 'x' } })
      expect([parsed.status, parsed.code]).to.deep.equal([500, 'body_already_parsed'])
      const broken = await aReceiver({ secrets: [] })
      expect((await broken.receive(delivery())).status).to.equal(500)
    })
  })

  describe('whose handler fails', () => {
    it('answers 500, and the next delivery is new', async () => {
      let isBroken = true
      const { receive, errors } = await aReceiver({
        onEvent: () => {
          if (isBroken) throw new Error('the flow failed')
        },
      })
      expect((await receive(delivery())).status).to.equal(500)
      expect(errors.map(String)).to.deep.equal(['Error: the flow failed'])
      isBroken = false
      expect((await receive(delivery())).outcome).to.equal('accepted')
    })

    it('acknowledges a repetition though telling of it fails', async () => {
      const { receive, errors } = await aReceiver({
        onDuplicate: () => {
          throw new Error('bad')
        },
      })
      await receive(delivery())
      expect((await receive(delivery())).status).to.equal(200)
      expect(errors.map(String)).to.deep.equal(['Error: bad'])
    })

    it('survives callbacks that fail themselves', async () => {
      const { receive } = await aReceiver({
        onError: () => {
          throw new Error('worse')
        },
        onEvent: () => Promise.reject(new Error('bad')),
      })
      expect((await receive(delivery())).status).to.equal(500)
    })
  })

  describe('whose handler is slow', () => {
    it('answers 200 in time, because the event is remembered, and lets it finish', async () => {
      let finish = () => {}
      const work = new Promise<void>((resolve) => {
        finish = resolve
      })
      const { receive, duplicates } = await aReceiver({ onEvent: () => work })
      const answer = receive(delivery())
      await clock.pass(2000)
      expect((await answer).status).to.equal(200)
      finish()
      await settle()
      expect((await receive(delivery())).outcome).to.equal('duplicate')
      expect(duplicates).to.have.length(1)
      expect(clock.timers, 'no timer is left behind').to.equal(0)
    })

    it('reports a failure after the answer', async () => {
      let fail = (_: Error) => {}
      const work = new Promise<void>((_, reject) => {
        fail = reject
      })
      const { receive, errors } = await aReceiver({ onEvent: () => work })
      const answer = receive(delivery())
      await clock.pass(2000)
      await answer
      fail(new Error('late'))
      await settle()
      expect(errors.map(String)).to.deep.equal(['Error: late'])
    })
  })

  describe('whose store is down', () => {
    const down = () => Promise.reject(new Error('disk full'))

    it('answers 503 with Retry-After, never 200', async () => {
      const store = await aStore()
      const { receive, events } = await aReceiver({ store: { ...store, claim: down } })
      const { status, headers, code } = await receive(delivery())
      expect([status, headers['retry-after'], code]).to.deep.equal([503, '30', 'UNAVAILABLE'])
      expect(events).to.deep.equal([])
    })

    it('answers 503 when the secrets cannot be read', async () => {
      expect((await (await aReceiver({ secrets: down })).receive(delivery())).status).to.equal(503)
    })
  })

  describe('after a crash in the middle', () => {
    it('hands over what was claimed and not finished, without the reason, once the claim has run out', async () => {
      const dead = await aReceiver({ onEvent: () => new Promise(() => {}), respondWithinMs: 0 }, file)
      const answer = dead.receive(delivery({ status: 'Failed', statusReason: 'Alma Whitfield is unknown' }))
      await clock.pass(0)
      expect((await answer).status).to.equal(200)
      await closers.pop()?.()

      const next = await aReceiver({}, file)
      expect(await next.resume(), 'somebody may still be at it').to.equal(0)
      await clock.pass(61_000)
      expect(await next.resume()).to.equal(1)
      expect(next.events.map(({ status, statusReason }) => [status, statusReason])).to.deep.equal([['Failed', null]])
      expect(await next.resume()).to.equal(0)
    })

    it('writes no reason to the disk', async () => {
      const { receive } = await aReceiver({}, file)
      await receive(delivery({ status: 'Failed', statusReason: 'canary-reason' }))
      for (const name of [file, `${file}-wal`]) expect(readFileSync(name).includes('canary-reason')).to.equal(false)
    })
  })

  describe('of events that overtake each other', () => {
    const pending = { status: 'Pending', occurredAtUtc: '2026-01-15T09:00:00Z', eventId: otherEvent } as const

    it('drops what is older than what it handed over', async () => {
      const { receive, events } = await aReceiver()
      await receive(delivery({ status: 'Completed' }))
      expect((await receive(delivery(pending))).outcome).to.equal('stale')
      expect(events.map(({ status }) => status)).to.deep.equal(['Completed'])
    })

    it('hands it over, marked, when asked to', async () => {
      const seen: boolean[] = []
      const { receive } = await aReceiver({ staleEvents: 'deliver', onEvent: (_, { isStale }) => seen.push(isStale) })
      await receive(delivery({ status: 'Completed' }))
      await receive(delivery(pending))
      expect(seen).to.deep.equal([false, true])
    })

    it('knows the same change under another event id', async () => {
      const { receive, events } = await aReceiver()
      await receive(delivery())
      expect((await receive(delivery({ eventId: otherEvent }))).outcome).to.equal('duplicate')
      expect(events).to.have.length(1)
    })

    it('works on the events of one task one after the other', async () => {
      const log: string[] = []
      const { receive } = await aReceiver({
        onEvent: async ({ status }) => {
          log.push(`begin ${status}`)
          await settle()
          log.push(`end ${status}`)
        },
      })
      await Promise.all([receive(delivery(pending)), receive(delivery())])
      expect(log).to.deep.equal(['begin Pending', 'end Pending', 'begin Completed', 'end Completed'])
    })
  })
})
