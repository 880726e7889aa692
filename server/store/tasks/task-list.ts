/** Lists of tasks as the console shows them: filtered, newest first, each page read by an index. */
import { type NotNull, type SqlBool, sql } from 'kysely'
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import { type PatientLabel, type PatientsInLists, patientLabel } from '../../domain/task/patient-label.ts'
import type { StoreContext } from '../context.ts'
import { bindings } from '../sealing/bindings.ts'
import { openJson } from '../sealing/sealed-json.ts'
import { flag } from '../sql/flag.ts'
import { newestFirst } from '../sql/indexes/newest-first.ts'
import { compared, unindexed } from '../sql/indexes/unindexed.ts'
import { decisiveOf, genuineTexts, type TaskRequest, type TaskTexts } from './task-row.ts'

export interface OverviewFilter {
  status?: TaskStatus | undefined
  /** Only tasks that wait for a person to decide who the patient is. */
  inReview?: boolean | undefined
  organizationId?: number | undefined
  signerNpi?: string | undefined
  documentTypeId?: number | undefined
  /** Only tasks that were received then or later. */
  from?: Date | undefined
  /** Only tasks that were received before this time. */
  to?: Date | undefined
  /** Whether the sender has recorded the outcome. */
  isRecorded?: boolean | undefined
  limit: number
  /** The id of the last task of the page before. */
  before?: number | undefined
}

export interface OverviewTask {
  taskId: number
  status: TaskStatus
  inReview: boolean
  organizationId: number
  sender: string
  documentType: string
  signerNpi: string
  signer: string
  externalDocId: string
  /** Null where lists show no patient, and where the patient was removed. */
  patient: PatientLabel | null
  isRecorded: boolean
  createdAt: string
  updatedAt: string
}

export function overviewed({ db }: StoreContext, organizationId: number | null) {
  const query = db
    .selectFrom('task as t')
    // Each has one. By an inner join, SQLite would begin with these few rows, and sort all tasks.
    .leftJoin('organization as o', 'o.id', 't.organizationId')
    .leftJoin('documentType as d', 'd.id', 't.documentTypeId')
    .leftJoin('provider as p', 'p.npi', 't.signerNpi')
    .select([
      't.id',
      't.sealedNotes',
      't.sealedRequest',
      ...decisiveOf('t'),
      't.sealedReview',
      't.createdAt',
      't.updatedAt',
    ])
    .select(['t.savedDocumentIndex', 'o.name as sender', 'd.name as documentType', 'p.signingName'])
    .$narrowType<{ sender: NotNull; documentType: NotNull }>()
  return organizationId === null ? query : query.where('t.organizationId', '=', organizationId)
}
export type OverviewRow = Awaited<ReturnType<ReturnType<typeof overviewed>['execute']>>[number]

export const overviewOf = (
  row: OverviewRow,
  { externalDocId }: TaskTexts,
  request: TaskRequest | null,
  patients: PatientsInLists,
): OverviewTask => ({
  taskId: row.id,
  status: row.status,
  inReview: row.sealedReview !== null,
  organizationId: row.organizationId,
  sender: row.sender,
  documentType: row.documentType,
  signerNpi: row.signerNpi,
  signer: row.signingName ?? `NPI ${row.signerNpi}`,
  externalDocId,
  patient: request && patientLabel(request.patient, patients),
  isRecorded: row.savedDocumentIndex !== null,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

/** Null once the contents of the task were removed. */
export const requestIn = (context: StoreContext, { id, sealedRequest }: Pick<OverviewRow, 'id' | 'sealedRequest'>) =>
  openJson<TaskRequest | null>(context, sealedRequest, bindings.taskRequest(id))

/** Leaves out rows that were changed without the master key. */
export const overviewsOf = (
  context: StoreContext,
  rows: readonly OverviewRow[],
  patients: PatientsInLists,
): OverviewTask[] =>
  rows.flatMap((row) => {
    const texts = genuineTexts(context, row)
    const request = patients === 'hidden' ? null : requestIn(context, row)
    return texts ? overviewOf(row, texts, request, patients) : []
  })

/** @param scope the organization of an administrator; null for an operator */
export async function listTasks(
  context: StoreContext,
  scope: number | null,
  filter: OverviewFilter,
  patients: PatientsInLists,
): Promise<OverviewTask[]> {
  const { status, inReview, signerNpi, documentTypeId, from, to, isRecorded, limit, before } = filter
  // An open review ends with any change of the status.
  if (inReview && status !== undefined && status !== 'Processing') return []
  const organizationId = scope ?? filter.organizationId
  // One index gives the order of the page; what else is asked for is compared on its rows.
  const leading = leadOf({ ...filter, organizationId })
  let query = overviewed(context, null)
  const narrow = (isLeading: boolean, column: string, value: string | number) => {
    query = query.where(
      isLeading ? sql<SqlBool>`${sql.ref(column)} = ${value}` : compared(sql<SqlBool>`${unindexed(column)} = ${value}`),
    )
  }
  // Between two ids, SQLite would rather go through all tasks of the organization than through those with the status.
  const isOfStatus = leading === 'status' && !(from && status !== undefined)
  if (organizationId !== undefined) narrow(leading === 'review' || isOfStatus, 't.organizationId', organizationId)
  if (inReview) query = query.where('t.sealedReview', 'is not', null)
  else if (status !== undefined) narrow(leading === 'status', 't.status', status)
  if (signerNpi !== undefined) narrow(leading === 'signer', 't.signerNpi', signerNpi)
  if (documentTypeId !== undefined) narrow(leading === 'type', 't.documentTypeId', documentTypeId)
  if (isRecorded !== undefined) {
    const isLeading = leading === 'recorded'
    const column = isLeading ? sql.ref('t.savedDocumentIndex') : unindexed('t.savedDocumentIndex')
    const recorded = sql<SqlBool>`(case when ${column} is null then 0 else 1 end) = ${flag(isRecorded)}`
    query = query.where(isLeading ? recorded : compared(recorded))
  }
  const order = newestFirst('t.id', leading !== null)
  if (from) {
    const first = await firstMadeSince(context, new Date(from.getTime() - CLOCKS_DIFFER_MS))
    query = query.where(compared(sql<SqlBool>`${unindexed('t.createdAt')} >= ${from.toISOString()}`))
    query = query.where(order, '>=', first ?? Number.MAX_SAFE_INTEGER)
  }
  if (to) query = query.where(compared(sql<SqlBool>`${unindexed('t.createdAt')} < ${to.toISOString()}`))
  const ends = [before, to && (await firstMadeSince(context, new Date(to.getTime() + CLOCKS_DIFFER_MS)))]
  // One bound: given two, SQLite would rather take an index without the status.
  const end = Math.min(...ends.flatMap((id) => id ?? []))
  if (Number.isFinite(end)) query = query.where(order, '<', end)
  return overviewsOf(context, await query.orderBy(order, 'desc').limit(limit).execute(), patients)
}

type Lead = 'review' | 'signer' | 'status' | 'type' | 'recorded'

/** Says by which filter tasks are looked up: one that few tasks match. Null where all are listed. */
function leadOf(filter: OverviewFilter): Lead | null {
  const { inReview, signerNpi, status, organizationId, documentTypeId, isRecorded } = filter
  if (inReview) return 'review'
  if (signerNpi !== undefined) return 'signer'
  if (status !== undefined || organizationId !== undefined) return 'status'
  if (documentTypeId !== undefined) return 'type'
  return isRecorded === undefined ? null : 'recorded'
}

/** The id of the first task that was created then or later: ids go up with time. */
async function firstMadeSince({ db }: StoreContext, since: Date): Promise<number | undefined> {
  const later = db.selectFrom('task').select('id').where('createdAt', '>=', since.toISOString())
  return (await later.orderBy('createdAt').orderBy('id').limit(1).executeTakeFirst())?.id
}

/** The most by which the clocks of two instances may differ. */
const CLOCKS_DIFFER_MS = 5 * 60 * 1000
