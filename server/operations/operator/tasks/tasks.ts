/** Tasks: finding them, following each from its creation to the last delivery, and cancelling it. */
import * as z from 'zod'
import { ErrorBody } from '../../../../lib/contract/error.ts'
import { DEFAULT_PAGE_SIZE } from '../../../choices.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { nextSteps } from '../../../domain/task/next-steps.ts'
import { canUndo } from '../../../domain/task/review.ts'
import { storyOf } from '../../../domain/task/story.ts'
import { transition, transitions } from '../../../domain/task/task.ts'
import { coveredCharacters } from '../../../pdf/ink/covered.ts'
import { asOf } from '../../delivery.ts'
import { idParams } from '../id-params.ts'
import { CancelBody, Counts, type ExportQuery, OverviewTask, TaskFile, TaskQuery } from '../messages/tasks.ts'
import { isOperator, OPERATOR_ALONE, type OperatorContext, operatorRow, STAFF } from '../operator-context.ts'
import { kindsFor } from './document.ts'
import { fontNotes, STOPS_SIGNING } from './font-notes.ts'

const group = 'Tasks'

export const countWork = operatorRow({
  method: 'get',
  path: '/admin/v1/counts',
  group,
  summary: 'Count what waits, and for whom',
  who: STAFF,
  responses: { 200: Counts },
  run: ({ store, scope }) => store.overview(scope).counts(),
})

export const listTasks = operatorRow({
  method: 'get',
  path: '/admin/v1/tasks',
  group,
  summary: 'List tasks, newest first',
  who: STAFF,
  query: TaskQuery,
  responses: { 200: z.array(OverviewTask) },
  run(context, { query }) {
    const { store, scope, patientsInLists } = context
    const page = { limit: query.limit, before: query.before ?? undefined }
    return store.overview(scope).list({ ...filterOf(query, context), ...page }, patientsInLists)
  },
})

/** Returns which tasks the query asks for. */
export function filterOf(query: z.output<typeof ExportQuery>, { at }: Pick<OperatorContext, 'at'>) {
  const { status, review, organizationId, signer, typeId, from, to, olderThan, recorded } = query
  const ends = [to && new Date(to), olderThan && new Date(at.getTime() - olderThan * DAY_MS)].filter(
    (end) => end instanceof Date,
  )
  return {
    status: status ?? undefined,
    inReview: review ?? undefined,
    organizationId: organizationId ?? undefined,
    signerNpi: signer ?? undefined,
    documentTypeId: typeId ?? undefined,
    from: from ? new Date(from) : undefined,
    to: ends.sort((a, b) => a.getTime() - b.getTime())[0],
    isRecorded: recorded ?? undefined,
  }
}

const DAY_MS = 24 * 60 * 60 * 1000

export const readTask = operatorRow({
  method: 'get',
  path: '/admin/v1/tasks/:id',
  group,
  summary: 'Read a task with everything that happened to it',
  who: STAFF,
  params: idParams('the task'),
  taskId: 'id',
  responses: { 200: TaskFile, 404: ErrorBody },
  async run(context, { params: { id } }) {
    const { store, scope, at } = context
    const { find, events, storyFacts, documentKinds } = store.overview(scope)
    const task = await find(id)
    if (!task) throw new Refusal('notFound', `There is no task ${id}.`)
    const sent = await store.deliveries.list({ taskId: id }, DEFAULT_PAGE_SIZE)
    const receivers = await store.receivers.names(sent.map(({ subscriptionId }) => subscriptionId))
    const deliveries = await Promise.all(
      sent.map(async (delivery) => ({ ...asOf(delivery, at), log: await store.deliveries.attempts(delivery.id) })),
    )
    const named = deliveries.map((delivery) => ({
      ...delivery,
      receiver: receivers.get(delivery.subscriptionId) ?? `subscription ${delivery.subscriptionId}`,
      isHeld: delivery.heldBy !== null,
    }))
    const taskEvents = await events(id)
    const kinds: readonly string[] = await documentKinds(id)
    const notes = fontNotes(task, coveredCharacters())
    const signer = await store.providers.find(task.signerNpi)
    const { address, mode } = await store.notices.of(task.signerNpi)
    const mayRemind = context.offersNotices && isOperator(context) && address !== null && mode !== 'off'
    return {
      task,
      events: taskEvents,
      story: storyOf({
        ...(await storyFacts(id)),
        sender: task.sender,
        statusReason: task.statusReason,
        savedDocumentId: task.externalSavedDocumentId,
        events: taskEvents,
        deliveries: named,
      }),
      nextSteps: nextSteps(
        {
          ...task,
          signer: { npi: task.signerNpi, name: task.signer, isActive: signer?.isActive ?? false, mayRemind },
          isUnstampable: notes.some((note) => note.endsWith(STOPS_SIGNING)),
          deliveries: named,
          isOperator: isOperator(context),
        },
        at,
      ),
      deliveries,
      review: await store.reviews.find(id),
      fontNotes: notes,
      documents: kindsFor(context.staffDocuments).filter((kind) => kinds.includes(kind)),
      mayCancel: isOperator(context) && (transitions.cancel.from as readonly string[]).includes(task.status),
      mayDecide: isOperator(context) && task.inReview,
      mayUndoReview: isOperator(context) && canUndo(await store.reviews.undoing(id)),
    }
  },
})

export const cancelTask = operatorRow({
  method: 'post',
  path: '/admin/v1/tasks/:id/cancel',
  group,
  summary: 'Cancel a task that waits, with a reason that its sender reads',
  who: OPERATOR_ALONE,
  params: idParams('the task'),
  taskId: 'id',
  body: CancelBody,
  responses: { 204: null, 404: ErrorBody, 409: ErrorBody },
  async run({ store, by, at, newId }, { params: { id }, body: { reason } }) {
    const facts = { at, eventId: newId(), reason: reason.trim() }
    await store.tasks('all').change(id, by, (task) => transition(task, 'cancel', facts))
  },
})
