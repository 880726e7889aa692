/** The console's tasks: found, followed from their creation to the last delivery, cancelled, and their reviews decided. */
import { type Clock, timeOf } from '../../lib/clock.ts'
import { DEFAULT_PAGE_SIZE } from '../choices.ts'
import { Refusal } from '../domain/refusal.ts'
import { decideReview } from '../domain/review.ts'
import { transition } from '../domain/task.ts'
import type { PageApi, PageCall } from '../http/page-api.ts'
import { parse } from '../http/parse.ts'
import type { Visitor } from '../store/people.ts'
import type { Store } from '../store/store.ts'
import { CancelBody, DecisionBody, type TaskFile, TaskQuery } from './messages.ts'

export interface TaskRouteParts {
  store: Pick<Store, 'overview' | 'reviews' | 'deliveries' | 'tasks'>
  clock: Clock
  newId(): string
}

/** Whose tasks a visitor sees: an administrator those of the own organization, an operator all. */
export const scopeOf = ({ role, organizationId }: Visitor): number | null =>
  role === 'operator' ? null : (organizationId ?? 0)

const OPERATOR_ONLY = { roles: ['operator'] } as const

export function taskRoutes({ serve }: PageApi, { store, clock, newId }: TaskRouteParts): void {
  const overview = ({ visitor }: PageCall) => store.overview(scopeOf(visitor))
  const found = async (call: PageCall) => {
    const task = await overview(call).find(call.id)
    if (!task) throw new Refusal('notFound', `There is no task ${call.id} for you.`)
    return task
  }

  serve('get', '/counts', (call) => overview(call).counts())
  serve('get', '/tasks', (call) => {
    const { status, review, limit } = parse(TaskQuery, call.query)
    return overview(call).list({
      status: status ?? undefined,
      inReview: review ?? undefined,
      limit,
    })
  })

  serve('get', '/tasks/:taskId', async (call): Promise<TaskFile> => {
    const task = await found(call)
    const { events, acts } = overview(call)
    const sent = await store.deliveries.list({ taskId: call.id }, DEFAULT_PAGE_SIZE)
    const isOperator = call.visitor.role === 'operator'
    return {
      task,
      events: await events(call.id),
      acts: await acts(call.id),
      deliveries: await Promise.all(
        sent.map(async (delivery) => ({ ...delivery, log: await store.deliveries.attempts(delivery.id) })),
      ),
      review: await store.reviews.find(call.id),
      mayCancel: isOperator && ['Received', 'Processing', 'Pending'].includes(task.status),
      mayDecide: isOperator && task.inReview,
    }
  })

  serve(
    'post',
    '/tasks/:taskId/cancel',
    async ({ id, by, body }) => {
      const reason = parse(CancelBody, body).reason.trim()
      const facts = { at: timeOf(clock), eventId: newId(), reason }
      await store.tasks('all').change(id, by, (task) => transition(task, 'cancel', facts))
    },
    OPERATOR_ONLY,
  )

  serve(
    'post',
    '/tasks/:taskId/review',
    async ({ id, by, body }) => {
      const wish = parse(DecisionBody, body)
      if (wish.decision !== 'fail') {
        const decision = wish.decision === 'new' ? 'new' : { same: wish.patientId }
        const at = timeOf(clock)
        return store.reviews.decide(id, by, (task, review) => decideReview(task, review, decision, at))
      }
      if (!(await store.reviews.find(id))) throw new Refusal('conflict', `Task ${id} waits for no decision.`)
      const facts = { at: timeOf(clock), eventId: newId(), reason: wish.reason.trim() }
      await store.tasks('all').change(id, by, (task) => transition(task, 'fail', facts))
    },
    OPERATOR_ONLY,
  )
}
