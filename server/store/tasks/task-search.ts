/** Finds tasks by an id, or by the patient through the blind index. Bound to one organization, or to none for an operator. */

import type { PatientsInLists } from '../../domain/task/patient-label.ts'
import { hasWords, type PatientWords, type SearchWords } from '../../domain/task/search-words.ts'
import type { StoreContext } from '../context.ts'
import { digestsOf } from './search-terms.ts'
import { type OverviewTask, overviewed, overviewsOf, requestIn } from './task-list.ts'
import { senderIndexes } from './task-row.ts'

export interface FoundTasks {
  /** Tasks by their number, the number of their document in the inbox, or an id that the sender gave. */
  byId: OverviewTask[]
  byPatient: OverviewTask[]
  /** Whether tasks of older patients of this name were not looked at. */
  isMore: boolean
}

export async function searchTasks(
  context: StoreContext,
  scope: number | null,
  search: SearchWords,
  patients: PatientsInLists,
): Promise<FoundTasks> {
  const organizationIds = scope === null ? await organizationsOf(context) : [scope]
  const ids = await idsOf(context, organizationIds, search)
  const byId = await read(context, scope, ids)
  const found = search.patient
    ? await ofPatient(context, scope, organizationIds, search.patient)
    : { rows: [], isMore: false }
  return {
    byId: overviewsOf(context, byId, patients),
    byPatient: overviewsOf(context, found.rows, patients),
    isMore: found.isMore,
  }
}

const organizationsOf = async ({ db }: StoreContext): Promise<number[]> =>
  (await db.selectFrom('organization').select('id').orderBy('id').execute()).map(({ id }) => id)

/** The newest that have one of the ids. */
async function idsOf(
  context: StoreContext,
  organizationIds: readonly number[],
  { text, taskId }: SearchWords,
): Promise<number[]> {
  const { db } = context
  const ids: number[] = []
  if (taskId !== null) {
    ids.push(taskId)
    const inbox = await db.selectFrom('inboxRequest').select('taskId').where('id', '=', taskId).executeTakeFirst()
    if (inbox) ids.push(inbox.taskId)
  }
  for (const some of inGroups(organizationIds)) {
    const indexes = some.map((id) => ({ id, ...digests(context, id, text) }))
    const ofSender = await db
      .selectFrom('task')
      .select('id')
      .where(({ or, and, eb }) =>
        or(
          indexes.map(({ id, externalDoc }) =>
            and([eb('organizationId', '=', id), eb('externalDocIndex', '=', externalDoc)]),
          ),
        ),
      )
      .limit(SHOWN)
      .execute()
    const saved = await db
      .selectFrom('savedDocument')
      .select('taskId')
      .where(({ or, and, eb }) =>
        or(
          indexes.map(({ id, savedDocument }) =>
            and([eb('organizationId', '=', id), eb('savedIndex', '=', savedDocument)]),
          ),
        ),
      )
      .limit(SHOWN)
      .execute()
    ids.push(...ofSender.map(({ id }) => id), ...saved.map(({ taskId: id }) => id))
  }
  return [...new Set(ids)].sort((a, b) => b - a).slice(0, SHOWN)
}

const digests = (context: StoreContext, organizationId: number, text: string) => {
  const index = senderIndexes(context, organizationId)
  return { externalDoc: index.externalDoc(text), savedDocument: index.savedDocument(text) }
}

function* inGroups<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += ORGANIZATIONS_AT_ONCE)
    yield all.slice(from, from + ORGANIZATIONS_AT_ONCE)
}

/** By their ids alone: SQLite would look through all tasks of the organization, if it were a condition. */
async function read(context: StoreContext, scope: number | null, ids: readonly number[]) {
  if (ids.length === 0) return []
  const rows = await overviewed(context, null).where('t.id', 'in', ids).execute()
  return rows.filter(({ organizationId }) => scope === null || organizationId === scope).sort((a, b) => b.id - a.id)
}

/** Returns tasks with the terms whose patient has all of the words. */
async function ofPatient(
  context: StoreContext,
  scope: number | null,
  organizationIds: readonly number[],
  { families, birthDate, words }: PatientWords,
) {
  const inAll = (field: 'family' | 'birthDate', values: readonly string[]) =>
    values.flatMap((value) => digestsOf(context, organizationIds, [field, value]))
  const [first, second] = [inAll('family', families), birthDate ? inAll('birthDate', [birthDate]) : []].filter(
    (terms) => terms.length > 0,
  )
  if (!first) return { rows: [], isMore: false }
  const { db } = context
  let query = db.selectFrom('taskTerm').select('taskId').distinct().where('term', 'in', first)
  if (second)
    query = query.where('taskId', 'in', db.selectFrom('taskTerm').select('taskId').where('term', 'in', second))
  const found = await query.orderBy('taskId', 'desc').limit(LOOKED_AT).execute()
  const rows = await read(
    context,
    scope,
    found.map(({ taskId }) => taskId),
  )
  const ofThem = rows.filter((row) => {
    const patient = requestIn(context, row)?.patient
    return patient && hasWords(patient, words)
  })
  return { rows: ofThem.slice(0, SHOWN), isMore: found.length === LOOKED_AT || ofThem.length > SHOWN }
}

/** Tasks that a search shows at most. */
const SHOWN = 50
/** Tasks with the terms that are opened at most, the newest first: each takes a tenth of a millisecond. */
const LOOKED_AT = 500
/** Conditions that one statement combines. */
const ORGANIZATIONS_AT_ONCE = 100
