/** What is remembered of events, by several processes: for how long, by whom, and what is left when a handler fails. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createJournal } from '../../../lib/journal/journal.ts'
import { openJournal } from '../../../lib/journal/open.ts'
import { SqliteStore } from '../../../lib/journal/sqlite-store.ts'
import { createOnceStore, type OnceStore } from '../../../lib/webhook/once-store.ts'
import { createReceiver } from '../../../lib/webhook/receiver.ts'
import { FakeClock, settle } from '../../support/fake-clock.ts'
import { anEvent } from '../support/bodies.ts'
import { aDelivery, SECRET } from '../support/delivery.ts'

const DAY_MS = 86_400_000
const AFTER_CLAIM_MS = 61_000

describe('what is remembered of events', () => {
  let folder: string
  let clock: FakeClock
  const closers: (() => Promise<void>)[] = []

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'once-'))
    clock = new FakeClock()
  })
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
    rmSync(folder, { recursive: true })
  })

  /** Each is another process, as far as the file can tell. */
  async function aProcess(): Promise<OnceStore> {
    const journal = await openJournal(join(folder, 'events.sqlite'), 'webhook')
    closers.push(() => journal.close())
    return createOnceStore(journal, { now: clock.now })
  }

  it('is known for seven days, which is longer than any sender repeats it', async () => {
    const journal = createJournal(new SqliteStore(':memory:', 'webhook', clock.now))
    closers.push(() => journal.close())
    const once = createOnceStore(journal, { now: clock.now })
    expect(await once.claim(anEvent())).to.equal('new')
    await once.complete(anEvent())
    await clock.pass(7 * DAY_MS - 1)
    expect(await once.claim(anEvent())).to.equal('done')
    await clock.pass(1)
    expect(await once.claim(anEvent())).to.equal('new')
  })

  it('is not taken from whoever claimed it since by one that gives it back late', async () => {
    const [slow, quick] = [await aProcess(), await aProcess()]
    expect(await slow.claim(anEvent())).to.equal('new')
    expect(await quick.claim(anEvent())).to.equal('in_progress')
    await clock.pass(AFTER_CLAIM_MS)
    expect(await quick.claim(anEvent()), 'the claim ran out').to.equal('new')
    await slow.release(anEvent())
    expect(await slow.claim(anEvent()), 'still claimed').to.equal('in_progress')
    await quick.complete(anEvent())
    await slow.release(anEvent())
    expect(await slow.claim(anEvent())).to.equal('done')
  })

  it('is new for everybody once it was given back', async () => {
    const [one, other] = [await aProcess(), await aProcess()]
    await one.claim(anEvent())
    await one.release(anEvent())
    expect(await other.claim(anEvent())).to.equal('new')
    expect(await one.claim(anEvent())).to.equal('in_progress')
  })

  it('keeps the later change of a task, whichever process remembers last', async () => {
    const [one, other] = [await aProcess(), await aProcess()]
    const pending = { status: 'Pending', occurredAtUtc: '2026-01-15T09:00:00Z' } as const
    const completed = { status: 'Completed', occurredAtUtc: '2026-01-15T09:30:00Z' } as const
    await other.tasks.remember(7, completed)
    await one.tasks.remember(7, pending)
    expect(await one.tasks.lastChange(7)).to.deep.equal(completed)
  })

  describe('when its handler fails', () => {
    let fail: (failure: Error) => void
    let isBroken: boolean
    let handed: string[]

    async function aReceiver() {
      isBroken = true
      handed = []
      return createReceiver({
        secrets: [SECRET],
        store: await aProcess(),
        clock,
        onEvent: (_, { source }) => {
          handed.push(source)
          if (isBroken) return new Promise((_, reject) => (fail = reject))
        },
      })
    }
    const delivery = () => aDelivery({}, { at: clock.now() })

    it('after the sender was told that all is well, it is handed over again, until that succeeds', async () => {
      const receiver = await aReceiver()
      const answer = receiver.receive(delivery())
      await clock.pass(2_000)
      expect((await answer).status).to.equal(200)
      fail(new Error('late'))
      await settle()
      expect(await receiver.resume(), 'its claim still holds').to.equal(0)

      await clock.pass(AFTER_CLAIM_MS)
      const resuming = receiver.resume()
      await settle()
      fail(new Error('again'))
      expect(await resuming).to.equal(0)

      await clock.pass(AFTER_CLAIM_MS)
      isBroken = false
      expect(await receiver.resume()).to.equal(1)
      expect(handed).to.deep.equal(['webhook', 'resumed', 'resumed'])
      expect((await receiver.receive(delivery())).outcome).to.equal('duplicate')
    })

    it('just before the answer is due, the sender is told to repeat it, however long it takes to give it back', async () => {
      const store = await aProcess()
      let giveBack = () => {}
      const slow: OnceStore = {
        ...store,
        release: async (event) => {
          await new Promise<void>((resolve) => (giveBack = resolve))
          await store.release(event)
        },
      }
      const receiver = createReceiver({
        secrets: [SECRET],
        store: slow,
        clock,
        onEvent: () => new Promise((_, reject) => (fail = reject)),
      })
      const answer = receiver.receive(delivery())
      await clock.pass(1_999)
      fail(new Error('in time'))
      await clock.pass(1)
      giveBack()
      expect((await answer).status).to.equal(500)
    })

    it('in time for the answer, it is left to its sender, who repeats it', async () => {
      const receiver = await aReceiver()
      const answer = receiver.receive(delivery())
      await settle()
      fail(new Error('at once'))
      expect((await answer).status).to.equal(500)
      await clock.pass(AFTER_CLAIM_MS)
      expect(await receiver.resume()).to.equal(0)
      isBroken = false
      expect((await receiver.receive(delivery())).outcome).to.equal('accepted')
    })
  })
})
