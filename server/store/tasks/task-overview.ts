/** Tasks as the console shows them, with everything that happened to them. Bound to one organization, or to none for an operator. */
import type { NotNull } from 'kysely'
import type { Patient } from '../../../lib/contract/task/patient.ts'
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import type { Preparation } from '../../../lib/pdf/prepare/preparation.ts'
import type { Actor } from '../../domain/audit.ts'
import { inTransaction, type StoreContext } from '../context.ts'
import { bindings } from '../sealing/bindings.ts'
import { openJson } from '../sealing/sealed-json.ts'
import { newestFirst } from '../sql/indexes/newest-first.ts'
import { type Counts, countsOf } from './counts.ts'
import { documents } from './documents.ts'
import { type StoryOfStore, storyFacts } from './story-facts.ts'
import { eventsOf, type TaskEvent } from './task-events.ts'
import { decisiveOf, genuineTexts, type TaskRequest, type TaskTexts } from './task-row.ts'

export interface OverviewFilter {
  status?: TaskStatus | undefined
  /** Only tasks that wait for a person to decide who the patient is. */
  inReview?: boolean | undefined
  limit: number
  /** The id of the last task of the page before. */
  before?: number | undefined
}

export interface OverviewTask {
  taskId: number
  status: TaskStatus
  inReview: boolean
  sender: string
  documentType: string
  signer: string
  externalDocId: string
  createdAt: string
  updatedAt: string
}

export interface TaskDetail extends OverviewTask, TaskTexts {
  documentId: number | null
  templateId: number | null
  /** Null once it was removed. */
  patient: Patient | null
  clinicalDate: string | null
  contentsRemovedAt: string | null
  /** The changes made to the document before its signer saw it. */
  preparations: Preparation[]
  /** Of the document as it was received, hexadecimal. */
  receivedSha256: string
  /** Whether the document is kept as it was received, because what is shown and sealed was drawn from it. */
  hasOriginal: boolean
  isFiled: boolean
  isArchived: boolean
}

export const taskOverview = (context: StoreContext, organizationId: number | null) => ({
  /** Newest first. */
  list: (filter: OverviewFilter): Promise<OverviewTask[]> => list(context, organizationId, filter),

  find: (taskId: number): Promise<TaskDetail | null> => find(context, organizationId, taskId),

  /** Its status changes, in order. For a task that `find` found. */
  events: (taskId: number): Promise<TaskEvent[]> => eventsOf(context, taskId),

  /** Returns the facts of its story. For a task that `find` found. */
  storyFacts: (taskId: number): Promise<StoryOfStore> => storyFacts(context, organizationId, taskId),

  counts: (): Promise<Counts> => countsOf(context, organizationId),

  /** The document as it was received, of a task whose document was drawn; null without one. The reading is audited first. */
  original: (taskId: number, by: Actor, at: Date): Promise<Buffer | null> =>
    inTransaction(context, async (inside) => {
      const row = await overviewed(inside, organizationId).where('t.id', '=', taskId).executeTakeFirst()
      if (!row || !genuineTexts(inside, row)) return null
      const found = await documents(inside).find(taskId, 'original')
      if (!found) return null
      inside.audit({ action: 'document.original', by, at, organizationId: row.organizationId, taskId })
      return found.pdf
    }),
})

function overviewed({ db }: StoreContext, organizationId: number | null) {
  const query = db
    .selectFrom('task as t')
    // Each has one. By an inner join, SQLite would begin with these few rows, and sort all tasks.
    .leftJoin('organization as o', 'o.id', 't.organizationId')
    .leftJoin('documentType as d', 'd.id', 't.documentTypeId')
    .leftJoin('provider as p', 'p.npi', 't.signerNpi')
    .select(['t.id', 't.sealedNotes', ...decisiveOf('t'), 't.sealedReview', 't.createdAt', 't.updatedAt'])
    .select(['o.name as sender', 'd.name as documentType', 'p.signingName'])
    .$narrowType<{ sender: NotNull; documentType: NotNull }>()
  return organizationId === null ? query : query.where('t.organizationId', '=', organizationId)
}
type OverviewRow = Awaited<ReturnType<ReturnType<typeof overviewed>['execute']>>[number]

const overviewOf = (row: OverviewRow, { externalDocId }: TaskTexts): OverviewTask => ({
  taskId: row.id,
  status: row.status,
  inReview: row.sealedReview !== null,
  sender: row.sender,
  documentType: row.documentType,
  signer: row.signingName ?? `NPI ${row.signerNpi}`,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  externalDocId,
})

async function list(
  context: StoreContext,
  organizationId: number | null,
  { status, inReview, limit, before }: OverviewFilter,
): Promise<OverviewTask[]> {
  // An open review ends with any change of the status.
  if (inReview && status !== undefined && status !== 'Processing') return []
  let query = overviewed(context, organizationId)
  if (inReview) query = query.where('t.sealedReview', 'is not', null)
  else if (status !== undefined) query = query.where('t.status', '=', status)
  const isFiltered = organizationId !== null || status !== undefined || inReview === true
  const order = newestFirst('t.id', isFiltered)
  if (before !== undefined) query = query.where(order, '<', before)
  const rows = await query.orderBy(order, 'desc').limit(limit).execute()
  return rows.flatMap((row) => {
    const texts = genuineTexts(context, row)
    return texts ? overviewOf(row, texts) : []
  })
}

async function find(context: StoreContext, organizationId: number | null, taskId: number): Promise<TaskDetail | null> {
  const row = await overviewed(context, organizationId)
    .select(['t.templateId', 't.sealedRequest', 't.preparations', 't.receivedSha256', 't.isFiled', 't.isArchived'])
    .select('t.contentsRemovedAt')
    .where('t.id', '=', taskId)
    .executeTakeFirst()
  if (!row) return null
  const request = openJson<TaskRequest | null>(context, row.sealedRequest, bindings.taskRequest(taskId))
  const texts = genuineTexts(context, row)
  if (!texts) return null
  return {
    ...overviewOf(row, texts),
    ...texts,
    documentId: row.documentId,
    templateId: row.templateId,
    patient: request?.patient ?? null,
    clinicalDate: request?.effectiveDate ?? null,
    contentsRemovedAt: row.contentsRemovedAt,
    preparations: JSON.parse(row.preparations) as Preparation[],
    receivedSha256: row.receivedSha256,
    hasOriginal: await documents(context).has(taskId, 'original'),
    isFiled: row.isFiled === 1,
    isArchived: row.isArchived === 1,
  }
}
