/** Tasks as the console shows them, with everything that happened to them. Bound to one organization, or to none for an operator. */
import type { Patient } from '../../../lib/contract/task/patient.ts'
import type { Preparation } from '../../../lib/pdf/prepare/preparation.ts'
import type { Actor } from '../../domain/audit.ts'
import type { DocumentKind } from '../../domain/task/document-kind.ts'
import type { PatientsInLists } from '../../domain/task/patient-label.ts'
import type { SearchWords } from '../../domain/task/search-words.ts'
import { inTransaction, type StoreContext } from '../context.ts'
import { type Counts, countsOf } from './counts.ts'
import { documents } from './documents.ts'
import { type StoryOfStore, storyFacts } from './story-facts.ts'
import { eventsOf, type TaskEvent } from './task-events.ts'
import { listTasks, type OverviewFilter, type OverviewTask, overviewed, overviewOf, requestIn } from './task-list.ts'
import { genuineTexts, type TaskTexts } from './task-row.ts'
import { type FoundTasks, searchTasks } from './task-search.ts'
import { type Urgent, urgentOf } from './urgent.ts'

export interface TaskDetail extends Omit<OverviewTask, 'patient'>, TaskTexts {
  documentId: number | null
  templateId: number | null
  /** Null once it was removed. */
  patient: Patient | null
  clinicalDate: string | null
  contentsRemovedAt: string | null
  /** The changes made to the document before its signer saw it. */
  preparations: Preparation[]
  /** The digest of the document as it was received, hexadecimal. */
  receivedSha256: string
  /** Whether the document is kept as it was received, because what is shown and sealed was drawn from it. */
  hasOriginal: boolean
  isFiled: boolean
  isArchived: boolean
}

export const taskOverview = (context: StoreContext, organizationId: number | null) => ({
  /** Newest first. */
  list: (filter: OverviewFilter, patients: PatientsInLists = 'hidden'): Promise<OverviewTask[]> =>
    listTasks(context, organizationId, filter, patients),

  search: (words: SearchWords, patients: PatientsInLists): Promise<FoundTasks> =>
    searchTasks(context, organizationId, words, patients),

  find: (taskId: number): Promise<TaskDetail | null> => find(context, organizationId, taskId),

  /** A PDF of the task, or null. The reading is audited before the PDF is handed out. */
  document: (taskId: number, kind: DocumentKind, by: Actor, at: Date): Promise<Buffer | null> =>
    inTransaction(context, async (inside) => {
      const task = await find(inside, organizationId, taskId)
      const found = task && (await documents(inside).find(taskId, kind))
      if (!found) return null
      inside.audit({ action: 'document.view', by, at, organizationId: task.organizationId, taskId, subject: kind })
      return found.pdf
    }),

  /** Which PDFs the task has. For a task that `find` found. */
  async documentKinds(taskId: number): Promise<DocumentKind[]> {
    const rows = await context.db.selectFrom('document').select('kind').where('taskId', '=', taskId).execute()
    return rows.map(({ kind }) => kind)
  },

  /** Its status changes, in order. For a task that `find` found. */
  events: (taskId: number): Promise<TaskEvent[]> => eventsOf(context, taskId),

  /** Returns the facts of its story. For a task that `find` found. */
  storyFacts: (taskId: number): Promise<StoryOfStore> => storyFacts(context, organizationId, taskId),

  counts: (): Promise<Counts> => countsOf(context, organizationId),

  /** Something that a person has to act on. */
  urgent: (times: Parameters<typeof urgentOf>[2]): Promise<Urgent> => urgentOf(context, organizationId, times),
})

async function find(context: StoreContext, organizationId: number | null, taskId: number): Promise<TaskDetail | null> {
  const row = await overviewed(context, organizationId)
    .select(['t.templateId', 't.preparations', 't.receivedSha256', 't.isFiled', 't.isArchived'])
    .select('t.contentsRemovedAt')
    .where('t.id', '=', taskId)
    .executeTakeFirst()
  if (!row) return null
  const request = requestIn(context, row)
  const texts = genuineTexts(context, row)
  if (!texts) return null
  return {
    ...overviewOf(row, texts, request, 'full'),
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
