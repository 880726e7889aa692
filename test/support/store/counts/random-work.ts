/** All that is done to tasks and their deliveries, in any order: senders, signers, operators and workers of a store without a service. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { DeliveryOutcome } from '../../../../server/store/delivery/settlements.ts'
import type { Store } from '../../../../server/store/store.ts'
import { AT, later, newTask, organization, PDF, signer } from '../../../server/store/stores-in.ts'
import type { Random } from '../../random.ts'
import { claim, hold, present, record, resolvePatient, review, sign, trigger } from '../../service/task-steps.ts'

/** After all that happens here. */
const LATER = later(1_000_000)
const LEASE = 'random work'
const ATTEMPT = {
  startedAt: AT,
  durationMs: 1,
  connectMs: 1,
  firstByteMs: 1,
  status: 200,
  answerBytes: 0,
  answer: null,
}
const OUTCOMES: readonly DeliveryOutcome[] = [
  { state: 'delivered' },
  { state: 'delivered' },
  { state: 'failed' },
  { state: 'waiting', dueAt: AT },
  { state: 'gone' },
]

export interface Workplace {
  senders: readonly number[]
  practice: number
}

/** Two senders with a subscription each, and the practice of a signer. */
export async function aWorkplace(store: Store): Promise<Workplace> {
  const senders = [await organization(store, 'Willow Creek'), await organization(store, 'Cedar Hill')]
  for (const sender of senders)
    await store.forOrganization(sender).subscriptions.create('https://ehr.example.org/', null, randomBytes(32), AT)
  return { senders, practice: await signer(store) }
}

/** Returns a function that does something. It rejects as the store does when what it wants is no longer possible. */
export function randomWork(store: Store, { senders, practice }: Workplace, random: Random): () => Promise<unknown> {
  const sender = () => store.forOrganization(random.pick(senders))
  const facts = () => ({ at: AT, eventId: randomUUID(), reason: 'at random' })
  /** Of any status, so that some of what is tried is refused. */
  const someTask = async () => random.pick((await sender().tasks.list({ limit: 20 })).map(({ id }) => id)) ?? 0
  const ingest = async () => {
    for (const task of await claim(store, AT, LATER, 4)) {
      const match = await resolvePatient(store, task, AT)
      const patientId = match.outcome === 'known' ? match.patientId : 1
      if (random.isSo(0.2))
        await hold(store, task.id, { outcome: 'review', reason: 'Nobody knows', candidateIds: [] }, AT)
      else if (random.isSo(0.1)) await trigger(store, task.id, 'fail', facts())
      else
        await present(store, task, { patientId, routedTo: practice, routedBy: 'primary' as const, fields: [] }, facts())
    }
  }
  const deliver = async () => {
    const lanes = ['first', 'retry'] as const
    const claimed = await store.outbox.claim({
      at: AT,
      leaseUntil: LATER,
      lease: LEASE,
      choose: (queues) =>
        queues.flatMap(({ subscriptionId }) => lanes.map((lane) => ({ subscriptionId, lane, limit: 4 }))),
    })
    const settlements = claimed.map((delivery) => {
      const outcome = random.pick(OUTCOMES)
      return { delivery, outcome, result: { ...ATTEMPT, outcome: 'http' as const }, finding: null }
    })
    if (settlements.length > 0) await store.outbox.settle(settlements, LEASE, AT)
  }
  const subscribe = async () => {
    const { subscriptions } = sender()
    const [one] = await subscriptions.list()
    if (!one) return subscriptions.create('https://ehr.example.org/', null, randomBytes(32), AT)
    if (random.isSo(0.1)) return subscriptions.remove(one.id, AT)
    return subscriptions.update(one.id, { active: random.isSo(0.8) }, AT)
  }
  const create = () => sender().tasks.create(newTask({ externalDocId: `DOC-${random.below(1_000)}` }), AT)
  const end = async () =>
    trigger(store, await someTask(), random.pick(['reject', 'retract', 'cancel', 'fail']), facts())
  const work: readonly (() => Promise<unknown>)[] = [
    create,
    create,
    create,
    ingest,
    ingest,
    end,
    async () => sign(store, await someTask(), { pdf: PDF, sha256: '00' }, facts()),
    async () => review(store, await someTask(), random.isSo() ? 'new' : { same: 1 }, AT),
    async () => record(sender(), await someTask(), randomUUID(), AT),
    () => store.outbox.fanOut(AT, 10),
    () => store.outbox.fanOut(AT, 10),
    deliver,
    deliver,
    subscribe,
    () => store.outbox.cancelStranded(AT),
    () => store.deliveries.redeliver({ organizationId: random.pick(senders), states: ['failed', 'delivered'] }, AT),
    async () => random.isSo(0.2) && store.outbox.giveUpOlderThan(LATER, AT),
    () => store.retention.removeContents(LATER, LATER),
  ]
  return () => random.pick(work)()
}
