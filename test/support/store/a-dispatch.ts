/** A real store and a real dispatcher on a clock that the test puts forward: deliveries without HTTP in front and documents behind. */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../../lib/clock.ts'
import { timeOf } from '../../../lib/clock.ts'
import type { StatusEvent } from '../../../lib/contract/event.ts'
import type { BucketPlace } from '../../../server/domain/bucket-place.ts'
import { type TargetPolicy, targetPolicy } from '../../../server/domain/delivery/target.ts'
import type { TaskChange, TaskState } from '../../../server/domain/task/task.ts'
import { openStore, type Store } from '../../../server/store/store.ts'
import { createDispatcher } from '../../../server/workers/delivery/dispatch.ts'
import { createPoster } from '../../../server/workers/delivery/post.ts'
import { type Resolve, systemResolve } from '../../../server/workers/delivery/resolve.ts'
import { FakeClock } from '../fake-clock.ts'
import { patience } from '../patience.ts'
import { aPatient } from '../service/a-patient.ts'

export interface DispatchOptions<C extends Clock> {
  data?: string
  /** For documents; in the database when left out. */
  bucket?: BucketPlace | undefined
  masterKey?: Uint8Array
  clock?: C
  targets?: TargetPolicy
  resolve?: Resolve
  /** The middle of the jitter when left out: delays are exactly the schedule's. */
  random?: () => number
  perMinute?: number
}

export type TestDispatch = Awaited<ReturnType<typeof aDispatch<FakeClock>>>

export const MASTER_KEY = new Uint8Array(32).fill(7)

export async function aDispatch<C extends Clock = FakeClock>(options: DispatchOptions<C> = {}) {
  const clock = options.clock ?? (new FakeClock() as unknown as C)
  const store = await openStore(
    { data: options.data ?? ':memory:', bucket: options.bucket },
    options.masterKey ?? MASTER_KEY,
  )
  const faults: unknown[] = []
  const targets = options.targets ?? targetPolicy(true, [])
  /** Looks of any dispatcher that found nothing to send. */
  let looksInVain = 0
  const watched = (shared: Store) => ({
    outbox: {
      ...shared.outbox,
      async claim(wanted: Parameters<Store['outbox']['claim']>[0]) {
        const claimed = await shared.outbox.claim(wanted)
        if (claimed.length === 0) looksInVain++
        return claimed
      },
    },
  })
  const dispatcherOf = (shared: Store) =>
    createDispatcher({
      store: watched(shared),
      clock,
      lease: randomUUID(),
      perMinute: options.perMinute,
      random: options.random ?? (() => 0.5),
      poster: createPoster({ clock, targets, resolve: options.resolve ?? systemResolve }),
      onFault: (fault) => faults.push(fault),
    })
  const dispatcher = dispatcherOf(store)
  store.onWork(() => dispatcher.wake())
  const organizationId =
    (await store.organizations.findByName('Willow'))?.id ??
    (await store.organizations.create(
      { name: 'Willow', npi: null, addresses: [], ingestionEnabled: true },
      timeOf(clock),
    ))
  const sender = store.forOrganization(organizationId)

  /** Waits in real time, because connections take some; the dispatcher is woken, because its clock stands still meanwhile. */
  async function until<T>(
    look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  ): Promise<T> {
    for (const end = Date.now() + patience(10_000); ; ) {
      const found = await look()
      if (found) return found
      if (Date.now() > end) throw new Error('What was waited for did not come about.')
      dispatcher.wake()
      await pause(1)
    }
  }
  /** Resolves when nothing may be sent at this time of the clock. What was sent before may still be under way. */
  async function nothingIsDue(): Promise<void> {
    // The first look may have begun before the clock was put forward; the second one did not.
    const wanted = looksInVain + 2
    await until(() => looksInVain >= wanted)
  }
  /** The same, once all that was sent has been answered as well. Never resolves while a receiver does not answer. */
  const allIsSent = () => dispatcher.settle()
  const aTaskId = async () => (await sender.tasks.create(A_TASK, timeOf(clock))).id
  const delivery = async (subscriptionId: number) => (await store.deliveries.list({ subscriptionId }, 1))[0]!

  return {
    store,
    clock,
    dispatcher,
    dispatcherOf,
    sender,
    organizationId,
    faults,
    until,
    nothingIsDue,
    allIsSent,
    delivery,

    async subscribe(url: string): Promise<{ id: number; secret: string }> {
      const secret = randomBytes(32)
      const id = await sender.subscriptions.create(url, null, secret, timeOf(clock))
      return { id, secret: secret.toString('base64') }
    },

    /** Makes a task that fails, which is one event. Returns its id. */
    async happens(): Promise<string> {
      const eventId = randomUUID()
      const task = await sender.tasks.create(A_TASK, timeOf(clock))
      await sender.tasks.change(task.id, (state) => happened(state, eventId, timeOf(clock)))
      return eventId
    },

    /** Another organization with the same dispatcher. */
    async another(name: string) {
      const other = { name, npi: null, addresses: [], ingestionEnabled: true }
      const its = store.forOrganization(await store.organizations.create(other, timeOf(clock)))
      return {
        subscribe: (url: string) => its.subscriptions.create(url, null, randomBytes(32), timeOf(clock)),
        async happens(): Promise<void> {
          const { id } = await its.tasks.create(A_TASK, timeOf(clock))
          await its.tasks.change(id, (state) => happened(state, randomUUID(), timeOf(clock)))
        },
      }
    },

    aTaskId,

    /** That many events of one task, regardless of which status may follow which. Returns their ids, in order. */
    async happensOften(times: number, ofTask?: number): Promise<string[]> {
      const taskId = ofTask ?? (await aTaskId())
      const eventIds = Array.from({ length: times }, () => randomUUID())
      for (const eventId of eventIds)
        await sender.tasks.change(taskId, (state) => happened(state, eventId, timeOf(clock)))
      return eventIds
    },

    async stop(): Promise<void> {
      dispatcher.abandon()
      await dispatcher.stop()
      await store.close()
      if (faults.length > 0) throw faults[0]
    },
  }
}

/** As much of a task as deliveries need. */
const A_TASK = {
  request: {
    patient: aPatient(),
    performer: { signer: { userNPI: '9999900043' } },
    effectiveDate: '2026-03-02',
    diagnosisCode: null,
    annotations: { type: 'SmartAnnotations' as const },
  },
  externalDocId: 'D1',
  documentTypeId: 1,
  templateId: null,
  pdf: Buffer.from('%PDF-'),
  sha256: '0'.repeat(64),
  receivedSha256: '0'.repeat(64),
  preparations: [],
}

const happened = (before: TaskState, eventId: string, at: Date): TaskChange => {
  const task: TaskState = { ...before, status: 'Failed', statusReason: null, documentId: null }
  const { id: taskId, status, statusReason, documentId } = task
  const occurredAtUtc = at.toISOString()
  const event: StatusEvent = {
    eventId,
    eventType: 'document.status_changed',
    taskId,
    documentId,
    status,
    statusReason,
    occurredAtUtc,
  }
  return { task, at, event, action: 'task.fail' }
}
