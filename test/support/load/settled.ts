/** What a service that is no longer under load comes to: its tasks and subscriptions, once everything was ingested and told. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Subscription } from '../../../lib/contract/subscription.ts'
import type { Task } from '../../../lib/contract/task/task.ts'
import { type Found, isSettled } from './broken.ts'
import type { Receiver } from './receiver.ts'
import { NotAcknowledged, type Sender } from './sender.ts'

const PAGE = 500
const LOOK_EVERY_MS = 500

/** Resolves with what there is when time is over, settled or not; a call that is not acknowledged is made again until then. */
export async function settled(
  sender: Sender,
  receivers: Readonly<Record<string, Receiver>>,
  patienceMs: number,
): Promise<Found> {
  for (const until = Date.now() + patienceMs; ; await pause(LOOK_EVERY_MS)) {
    const isLast = Date.now() > until
    try {
      const tasks = await everyTask(sender)
      if (!isLast && !isSettled({ tasks, receivers })) continue
      const path = '/api/v1/signature/webhooks'
      const subscriptions = await sender.ask({ name: 'subscriptions', method: 'GET', path, expected: 200 })
      return { tasks, subscriptions: subscriptions as Subscription[], receivers }
    } catch (failure) {
      if (isLast || !(failure instanceof NotAcknowledged)) throw failure
    }
  }
}

async function everyTask(sender: Sender): Promise<Task[]> {
  const tasks: Task[] = []
  for (let before = ''; ; before = `&before=${tasks.at(-1)!.taskId}`) {
    const path = `/api/v1/signature/tasks?limit=${PAGE}${before}`
    const page = (await sender.ask({ name: 'list', method: 'GET', path, expected: 200 })) as Task[]
    tasks.push(...page)
    if (page.length < PAGE) return tasks
  }
}
