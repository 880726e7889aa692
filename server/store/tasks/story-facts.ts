/** Reads the facts of a task's story: its audit entries with the names of the people, its events, and where they were sent. */
import { expressionBuilder } from 'kysely'
import { type Actor, isTaskAction } from '../../domain/audit.ts'
import { presentedIn } from '../../domain/task/act-subject.ts'
import type { StoryAct, StoryActor, StoryFacts } from '../../domain/task/story.ts'
import type { StoreContext } from '../context.ts'
import { subscriptionColumns, subscriptionOf } from '../delivery/subscription-row.ts'
import { unindexed } from '../sql/indexes/unindexed.ts'
import type { Schema } from '../sql/schema.ts'

export type StoryOfStore = Omit<StoryFacts, 'deliveries' | 'statusReason' | 'savedDocumentId' | 'sender' | 'events'>

/** Reads the story of a task that `find` found. An administrator's own organization sees no act of another organization's key. */
export async function storyFacts(
  context: StoreContext,
  organizationId: number | null,
  taskId: number,
): Promise<StoryOfStore> {
  const { db } = context
  const task = await db
    .selectFrom('task as t')
    .leftJoin('provider as p', 'p.npi', 't.signerNpi')
    .leftJoin('patient', 'patient.id', 't.patientId')
    .select(['t.signerNpi', 'p.signingName', 't.patientId', 'patient.createdAt as patientCreatedAt'])
    .where('t.id', '=', taskId)
    .executeTakeFirstOrThrow()
  let query = actsOf(context).where('a.taskId', '=', taskId).where(sinceStart(context))
  if (organizationId !== null) query = query.where('a.organizationId', '=', organizationId)
  const rows = await query.orderBy('a.sequence').execute()
  const organizations = new Map(
    (await db.selectFrom('organization').select(['id', 'name']).where('id', 'in', routesIn(rows)).execute()).map(
      ({ id, name }) => [id, name],
    ),
  )
  return {
    signer: { npi: task.signerNpi, name: task.signingName ?? `NPI ${task.signerNpi}` },
    patientId: task.patientId,
    patientCreatedAt: task.patientCreatedAt,
    acts: rows.flatMap(({ at, action, outcome, requestId, subject, ...actor }): StoryAct[] => {
      if (!isTaskAction(action)) return []
      const routedTo = presentedIn(subject)?.routedTo
      const subjectName = (routedTo !== undefined && organizations.get(routedTo)) || null
      return [{ at, action, outcome, requestId, subject, subjectName, actor: actorOf(actor) }]
    }),
  }
}

/** Who signed or rejected each of these tasks. */
export async function signersOf(context: StoreContext, taskIds: readonly number[]): Promise<Map<number, StoryActor>> {
  if (taskIds.length === 0) return new Map()
  const rows = await actsOf(context)
    .select(['a.taskId', 'a.sequence'])
    .where('a.taskId', 'in', taskIds)
    .where(sinceStart(context))
    .where(unindexed('a.action'), 'in', ['task.sign', 'task.reject'])
    .where('a.outcome', '=', 'done')
    .execute()
  const inOrder = rows.toSorted((a, b) => a.sequence - b.sequence)
  return new Map(inOrder.map(({ taskId, ...actor }) => [taskId!, actorOf(actor)]))
}

/** Returns whether a signer has opened the document of a task. */
export async function isOpenedBySigner(context: StoreContext, taskId: number): Promise<boolean> {
  const found = await actsOf(context)
    .where('a.taskId', '=', taskId)
    .where(sinceStart(context))
    .where(unindexed('a.action'), '=', 'document.read')
    .where(unindexed<Actor['kind']>('a.actor'), '=', 'signer')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Returns the name of each receiver: its description, or the host of its address. */
export async function receiverNames(context: StoreContext, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await context.db.selectFrom('subscription').select(subscriptionColumns).where('id', 'in', ids).execute()
  return new Map(
    rows.map((row) => {
      const { description, url } = subscriptionOf(context, row)
      return [row.id, description?.trim() || new URL(url).host]
    }),
  )
}

/** Ids of the kinds of actors have different forms, so that each join finds rows of its kind alone. */
export const actsOf = ({ db }: StoreContext) =>
  db
    .selectFrom('audit as a')
    .leftJoin('apiKey as k', 'k.keyId', 'a.actorId')
    .leftJoin('operatorKey as o', 'o.keyId', 'a.actorId')
    .leftJoin('provider as p', 'p.npi', 'a.actorId')
    .leftJoin('person as v', (join) =>
      join
        .on(({ eb, cast }) => eb(cast<string>('v.id', 'text'), '=', eb.ref('a.actorId')))
        .on(unindexed<Actor['kind']>('a.actor'), '=', 'operator'),
    )
    .select(['a.at', 'a.action', 'a.outcome', 'a.requestId', 'a.subject', 'a.actor', 'a.actorId'])
    .select(['k.personName', 'o.description', 'p.signingName', 'v.name as accountName'])

/** Ids of tasks are given again when a sandbox starts over; what was done to the earlier ones is no part of their story. */
const sinceStart = ({ db }: StoreContext) =>
  expressionBuilder<{ a: Schema['audit'] }, 'a'>()(
    'a.sequence',
    '>',
    db
      .selectFrom('audit as start')
      .select(({ fn, lit }) => fn.coalesce(fn.max('start.sequence'), lit(0)).as('sequence'))
      .where('start.action', '=', 'sandbox.reset')
      .where(unindexed('start.organizationId'), 'is', null),
  )

type ActorRow = { actor: Actor['kind']; actorId: string | null } & Record<
  'personName' | 'description' | 'signingName' | 'accountName',
  string | null
>

export const actorOf = ({ actor: kind, actorId: id, ...names }: ActorRow): StoryActor => ({
  kind,
  id,
  name: nameOf(kind, names),
})

function nameOf(kind: Actor['kind'], row: Omit<ActorRow, 'actor' | 'actorId'>): string | null {
  if (kind === 'key') return row.personName
  if (kind === 'signer') return row.signingName
  if (kind === 'operator') return row.accountName ?? (row.description && `the operator key “${row.description}”`)
  return null
}

const routesIn = (rows: readonly { subject: string | null }[]) =>
  // No organization has the id 0: a list of SQL must not be empty.
  [0, ...rows.flatMap(({ subject }) => presentedIn(subject)?.routedTo ?? [])]
