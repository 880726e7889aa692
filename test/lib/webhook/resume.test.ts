/** What a closed or killed receiver had acknowledged comes once, in order, beside what comes meanwhile. */
import { expect } from 'chai'
import type { StatusEvent } from '../../../lib/contract/event.ts'
import type { Journal } from '../../../lib/journal/journal.ts'
import { openJournal } from '../../../lib/journal/open.ts'
import { createOnceStore } from '../../../lib/webhook/once-store.ts'
import { createReceiver, type Receiver } from '../../../lib/webhook/receiver.ts'
import { FakeClock, settle } from '../../support/fake-clock.ts'
import { anEvent } from '../support/bodies.ts'
import { aDelivery, SECRET } from '../support/delivery.ts'

const AFTER_CLAIM_MS = 61_000

describe('events that a receiver has left', () => {
  let clock: FakeClock
  let journal: Journal
  let handed: StatusEvent[]
  let errors: string[]
  /** The handlers at work, by task. */
  let finish: Map<number, () => void>

  beforeEach(async () => {
    clock = new FakeClock()
    journal = await openJournal(':memory:', 'webhook')
    handed = []
    errors = []
    finish = new Map()
  })
  afterEach(() => journal.close())

  const aReceiver = (isAlone: boolean): Receiver =>
    createReceiver({
      secrets: [SECRET],
      store: createOnceStore(journal, { now: clock.now, isAlone }),
      clock,
      onEvent: (event) => {
        handed.push(event)
        return new Promise<void>((resolve) => finish.set(event.taskId, resolve))
      },
      onError: (failure) => errors.push(String(failure)),
    })
  const delivery = (event: Partial<StatusEvent>) => aDelivery(event, { at: clock.now() })
  const handedTo = (taskId: number) => handed.filter((event) => event.taskId === taskId).map(({ status }) => status)
  const leaves = async (events: readonly Partial<StatusEvent>[]) => {
    const before = createOnceStore(journal, { now: clock.now })
    for (const event of events) await before.claim(anEvent(event))
  }
  /** The later an event occurred, the earlier its id, by which a journal may list it. */
  const ofTask = (taskId: number, status: StatusEvent['status'], minute: number) =>
    ({
      taskId,
      status,
      eventId: `00000000-0000-4000-8000-${String(taskId).padStart(8, '0')}00${99 - minute}`,
      occurredAtUtc: `2026-01-15T09:${minute}:00.000Z`,
    }) as const

  it('come at once where nobody else uses the journal, and after their time otherwise', async () => {
    await leaves([ofTask(7, 'Pending', 10)])
    const shared = aReceiver(false)
    expect(await shared.resume()).to.equal(0)
    const resuming = aReceiver(true).resume()
    await settle()
    finish.get(7)!()
    expect(await resuming).to.equal(1)
    await clock.pass(AFTER_CLAIM_MS)
    expect(await shared.resume(), 'it has come').to.equal(0)
  })

  it('come in the order in which they occurred, before a new one of their task', async () => {
    await leaves([ofTask(7, 'Processing', 20), ofTask(7, 'Pending', 30), ofTask(7, 'Received', 10)])
    const receiver = aReceiver(true)
    const resuming = receiver.resume()
    const answer = receiver.receive(delivery(ofTask(7, 'Completed', 40)))
    for (let come = 1; come <= 4; come += 1) {
      await settle()
      expect(handed).to.have.length(come)
      finish.get(7)!()
    }
    expect(await resuming).to.equal(3)
    expect((await answer).outcome).to.equal('accepted')
    expect(handedTo(7)).to.deep.equal(['Received', 'Processing', 'Pending', 'Completed'])
  })

  it('come of four tasks at once, and hold up no other task', async () => {
    await leaves(Array.from({ length: 9 }, (_, index) => ofTask(index + 1, 'Pending', 10 + index)))
    const receiver = aReceiver(true)
    const resuming = receiver.resume()
    await settle()
    expect(handed.map(({ taskId }) => taskId)).to.deep.equal([1, 2, 3, 4])
    const answer = receiver.receive(delivery(ofTask(100, 'Pending', 50)))
    await settle()
    finish.get(100)!()
    expect((await answer).outcome).to.equal('accepted')
    finish.get(3)!()
    await settle()
    expect(handed.at(-1)!.taskId, 'the next').to.equal(5)
    while (finish.size > 0) {
      for (const [taskId, end] of finish) {
        finish.delete(taskId)
        end()
      }
      await settle()
    }
    expect(await resuming).to.equal(9)
  })

  it('come once when their sender repeats them meanwhile', async () => {
    await leaves([ofTask(7, 'Pending', 10)])
    const receiver = aReceiver(true)
    const resuming = receiver.resume()
    const answer = receiver.receive(delivery(ofTask(7, 'Pending', 10)))
    await settle()
    finish.get(7)!()
    expect((await answer).outcome).to.equal('duplicate')
    expect(await resuming).to.equal(1)
    expect(handed).to.have.length(1)
  })

  it('are those that fail while it closes, which it acknowledges; what comes later is to be repeated', async () => {
    let fail = (_: Error) => {}
    const closing = createReceiver({
      secrets: [SECRET],
      store: createOnceStore(journal, { now: clock.now, isAlone: true }),
      clock,
      onEvent: () => new Promise((_, reject) => (fail = reject)),
    })
    const answers = [ofTask(7, 'Pending', 10), ofTask(7, 'Completed', 20)].map((event) =>
      closing.receive(delivery(event)),
    )
    await settle()
    const closed = closing.close()
    fail(new Error('the node closes'))
    await closed
    expect((await Promise.all(answers)).map(({ status }) => status)).to.deep.equal([200, 200])
    const late = await closing.receive(delivery(ofTask(8, 'Pending', 30)))
    expect([late.status, late.headers['retry-after']]).to.deep.equal([503, '30'])

    const resuming = aReceiver(true).resume()
    for (let come = 1; come <= 2; come += 1) {
      await settle()
      finish.get(7)!()
    }
    expect(await resuming).to.equal(2)
    expect(handedTo(7)).to.deep.equal(['Pending', 'Completed'])
  })

  it('are those that it has not begun to resume when it closes', async () => {
    await leaves(Array.from({ length: 6 }, (_, index) => ofTask(index + 1, 'Pending', 10 + index)))
    const closing = aReceiver(true)
    const resuming = closing.resume()
    await settle()
    const closed = closing.close()
    for (const end of finish.values()) end()
    await closed
    expect(await resuming).to.equal(4)
    expect(errors).to.have.length(2)
    const again = aReceiver(true).resume()
    await settle()
    for (const taskId of [5, 6]) finish.get(taskId)!()
    expect(await again).to.equal(2)
  })
})
