/** Mixed load of several senders at once, until it is ended: tasks from create to outcome, and changes of a subscription. */
import { setTimeout as pause } from 'node:timers/promises'
import type { UpdateSubscription } from '../../../lib/contract/subscription.ts'
import { type Random, randomFrom } from '../random.ts'
import type { Acknowledged } from './acknowledged.ts'
import { oneTask } from './one-task.ts'
import type { Receiver } from './receiver.ts'
import { NotAcknowledged, type Sender } from './sender.ts'

/** What an update of a subscription says: none of these may keep a change from its receiver. */
export type Patch = 'url' | 'active' | 'url and active'

export interface LoadOptions {
  sender: Sender
  acknowledged: Acknowledged
  seed: number
  /** Tasks under way at once. */
  loops: number
  /** Between two tasks of a loop. */
  restMs: number
  patienceMs: number
  /** The subscription that is changed all the time, and its receiver. */
  moved: { id: number; receiver: Receiver }
  patches: readonly Patch[]
}

const PATCH_EVERY_MS = 200
/** After a call that was not acknowledged. */
const RECOVERY_MS = 50

/** Begins it. The returned function ends it, and resolves when no call is under way; rejects when the load itself failed. */
export function startLoad(options: LoadOptions): () => Promise<void> {
  const { sender, acknowledged, seed, loops, restMs, patienceMs } = options
  let isOver = false
  const again = async (restMs: number, act: () => Promise<void>) => {
    while (!isOver) {
      const isAcknowledged = await act().then(
        () => true,
        (failure: unknown) => {
          if (failure instanceof NotAcknowledged) return false
          throw failure
        },
      )
      await pause(isAcknowledged ? restMs : Math.max(restMs, RECOVERY_MS))
    }
  }
  const tasks = Array.from({ length: loops }, (_, number) => {
    const random = randomFrom(seed + number)
    return again(restMs, () => oneTask({ sender, acknowledged, random, patienceMs }))
  })
  const random = randomFrom(seed - 1)
  const all = Promise.all([...tasks, again(PATCH_EVERY_MS, () => change(options, random))])
  // Looked at when it is ended; until then it must not end the process.
  all.catch(() => {})
  return async () => {
    isOver = true
    await all
  }
}

async function change({ sender, acknowledged, moved, patches }: LoadOptions, random: Random): Promise<void> {
  const { id, receiver } = moved
  const patch = random.pick(patches)
  const url = receiver.at(`/callbacks/${random.below(1_000)}`)
  const body: UpdateSubscription = {
    ...(patch !== 'active' && { url }),
    ...(patch !== 'url' && { active: true }),
  }
  if (body.url) acknowledged.urls.set(id, [...(acknowledged.urls.get(id) ?? []), body.url])
  const path = `/api/v1/signature/webhooks/${id}`
  await sender.ask({ name: 'patch', method: 'PATCH', path, body, expected: 200 })
  if (body.url) acknowledged.urls.set(id, [body.url])
}
