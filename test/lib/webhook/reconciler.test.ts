/** Changes that no callback reported are found and handed over once. */
import { expect } from 'chai'
import { RefusedError, UnauthorizedError, UnreachableError } from '../../../lib/client/errors.ts'
import type { StatusEvent } from '../../../lib/contract/event.ts'
import type { Task, TaskStatus } from '../../../lib/contract/task/task.ts'
import type { Journal } from '../../../lib/journal/journal.ts'
import { openJournal } from '../../../lib/journal/open.ts'
import { createOnceStore, type OnceStore } from '../../../lib/webhook/once-store.ts'
import { createReceiver, type Receiver } from '../../../lib/webhook/receiver.ts'
import { createReconciler, type ReconcilerOptions } from '../../../lib/webhook/reconciler.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { aTaskRecord } from '../support/bodies.ts'
import { aDelivery, SECRET } from '../support/delivery.ts'

const HOUR = 3_600_000

describe('the reconciler', () => {
  let clock: FakeClock
  let journal: Journal
  let store: OnceStore
  let receiver: Receiver
  let events: StatusEvent[]
  let errors: [unknown, number | undefined][]
  let reads: number[]
  let tasks: Map<number, Task | Error>

  beforeEach(async () => {
    clock = new FakeClock()
    journal = await openJournal(':memory:', 'webhook')
    store = createOnceStore(journal, { now: clock.now })
    events = []
    errors = []
    reads = []
    tasks = new Map()
    receiver = createReceiver({ secrets: [SECRET], store, onEvent: (event) => events.push(event), clock })
  })
  afterEach(() => journal.close())

  const aReconciler = (options: Partial<ReconcilerOptions> = {}) =>
    createReconciler({
      client: {
        readTask: async ({ params }) => {
          reads.push(params.id)
          const task = tasks.get(params.id) ?? new RefusedError('readTask', 404, ['there is no such task'])
          if (task instanceof Error) throw task
          return task
        },
      },
      receiver,
      tasks: store.tasks,
      onError: (error, taskId) => errors.push([error, taskId]),
      clock,
      random: () => 0.5,
      ...options,
    })

  const becomes = (status: TaskStatus, task: Partial<Task> = {}) => tasks.set(1001, aTaskRecord({ status, ...task }))
  const statuses = () => events.map(({ taskId, status }) => [taskId, status])

  it('feeds a change that no callback reported, with its reason', async () => {
    const reconciler = aReconciler()
    await reconciler.track(1001)
    becomes('Failed', { statusReason: 'No active provider has this NPI' })
    await clock.pass(HOUR)
    expect(await reconciler.reconcile()).to.deep.equal({ looked: 1, changed: 1, failed: 0 })
    expect(statuses()).to.deep.equal([[1001, 'Failed']])
    expect(events[0]?.statusReason).to.equal('No active provider has this NPI')
  })

  it('does not look again once the task is final', async () => {
    const reconciler = aReconciler()
    await reconciler.track(1001)
    becomes('Completed')
    await clock.pass(HOUR)
    await reconciler.reconcile()
    await clock.pass(HOUR)
    await reconciler.reconcile()
    expect(reads).to.deep.equal([1001])
  })

  it('hands a change over once when the callback comes late', async () => {
    const reconciler = aReconciler()
    await reconciler.track(1001)
    becomes('Completed')
    await clock.pass(HOUR)
    await reconciler.reconcile()
    const late = await receiver.receive(aDelivery({}, { at: clock.now() }))
    expect([late.status, late.outcome]).to.deep.equal([200, 'duplicate'])
    expect(statuses()).to.deep.equal([[1001, 'Completed']])
  })

  it('says nothing about a change that a callback has told', async () => {
    const reconciler = aReconciler()
    await receiver.receive(aDelivery({ status: 'Pending', occurredAtUtc: '2026-01-15T09:30:00Z' }, { at: clock.now() }))
    becomes('Pending')
    await clock.pass(HOUR)
    expect((await reconciler.reconcile()).changed).to.equal(0)
    expect(reads, 'it looked, because the task is open').to.deep.equal([1001])
    becomes('Completed')
    expect((await reconciler.reconcile()).changed).to.equal(1)
  })

  it('leaves a task alone whose last change is fresh', async () => {
    const reconciler = aReconciler()
    await reconciler.track(1001)
    becomes('Pending')
    await clock.pass(599_000)
    expect((await reconciler.reconcile()).looked).to.equal(0)
    await clock.pass(1000)
    expect((await reconciler.reconcile()).looked).to.equal(1)
  })

  it('tries again what could not be handed over', async () => {
    let isBroken = true
    receiver = createReceiver({
      secrets: [SECRET],
      store,
      clock,
      onEvent: (event) => {
        if (isBroken) throw new Error('the flow failed')
        events.push(event)
      },
    })
    const reconciler = aReconciler()
    await reconciler.track(1001)
    becomes('Completed')
    await clock.pass(HOUR)
    expect((await reconciler.reconcile()).failed).to.equal(1)
    isBroken = false
    expect((await reconciler.reconcile()).changed).to.equal(1)
  })

  it('ends the round when the key is refused', async () => {
    const reconciler = aReconciler({ concurrency: 1 })
    for (const id of [1, 2, 3]) {
      await reconciler.track(id)
      tasks.set(id, new UnauthorizedError('readTask', 403, ['unknown key']))
    }
    await clock.pass(HOUR)
    await reconciler.reconcile()
    expect(reads).to.have.length(1)
    expect(errors).to.have.length(1)
  })

  it('goes on when one look fails, and forgets a task that does not exist', async () => {
    const reconciler = aReconciler()
    for (const id of [1, 2, 3]) await reconciler.track(id)
    tasks.set(1, new UnreachableError('readTask', 'ETIMEDOUT', true))
    tasks.set(3, aTaskRecord({ taskId: 3, status: 'Completed' }))
    await clock.pass(HOUR)
    expect(await reconciler.reconcile()).to.deep.equal({ looked: 3, changed: 1, failed: 2 })
    reads.length = 0
    await reconciler.reconcile()
    expect(reads, 'only the one that could not be reached').to.deep.equal([1])
  })

  it('looks at few at once', async () => {
    let atOnce = 0
    let most = 0
    const reconciler = aReconciler({
      client: {
        readTask: async ({ params }) => {
          most = Math.max(most, ++atOnce)
          await new Promise((resolve) => setImmediate(resolve))
          atOnce--
          return aTaskRecord({ taskId: params.id, status: 'Completed' })
        },
      },
    })
    for (let id = 1; id <= 50; id++) await reconciler.track(id)
    await clock.pass(HOUR)
    expect((await reconciler.reconcile()).changed).to.equal(50)
    expect(most).to.equal(4)
  })

  it('goes round by itself until it is closed, one round at a time', async () => {
    const reconciler = aReconciler()
    await reconciler.track(1001)
    becomes('Pending')
    reconciler.start()
    reconciler.start()
    await clock.pass(2 * HOUR)
    expect(reads.length).to.be.within(10, 13)
    reconciler.close()
    expect(clock.timers).to.equal(0)
    const before = reads.length
    await clock.pass(2 * HOUR)
    expect(reads.length).to.equal(before)
    expect(reconciler.reconcile()).to.equal(reconciler.reconcile())
  })

  it('goes round as before when it is closed and started again during a round', async () => {
    let answer = () => {}
    const reconciler = aReconciler({
      client: {
        readTask: () => new Promise((resolve) => (answer = () => resolve(aTaskRecord({ status: 'Pending' })))),
      },
    })
    await reconciler.track(1001)
    reconciler.start()
    await clock.pass(HOUR)
    reconciler.close()
    reconciler.start()
    answer()
    await clock.pass(1000)
    expect(clock.timers).to.equal(1)
  })
})
