/** A list of tasks as a file for a spreadsheet: what the console shows with the same filters. */
import { EXPORTS } from '../../../choices.ts'
import { csvOf } from '../../../domain/csv.ts'
import type { CsvAnswer } from '../../row.ts'
import { ExportQuery, type OverviewTask } from '../messages/tasks.ts'
import { operatorRow, STAFF } from '../operator-context.ts'
import { filterOf } from './tasks.ts'

export const exportTasks = operatorRow({
  method: 'get',
  path: '/admin/v1/tasks/export',
  group: 'Tasks',
  summary: 'Download tasks as CSV, newest first, 10,000 at most',
  who: STAFF,
  query: ExportQuery,
  atOnce: { ...EXPORTS, of: 'exports of tasks' },
  responses: { 200: 'csv' },
  async run(context, { query }): Promise<CsvAnswer> {
    const { store, scope, by, at, patientsInLists } = context
    const filter = filterOf(query, context)
    const tasks: OverviewTask[] = []
    for (let before: number | undefined; tasks.length < MOST_ROWS; before = tasks.at(-1)?.taskId) {
      const page = await store.overview(scope).list({ ...filter, limit: PAGE, before }, patientsInLists)
      tasks.push(...page)
      if (page.length < PAGE) break
    }
    await store.audit.append({ action: 'task.export', by, at, organizationId: scope, subject: tasks.length })
    return { csv: csvOf(HEAD, tasks.map(cellsOf)), fileName: 'tasks.csv' }
  },
})

const HEAD = [
  'Task',
  'Status',
  'Waits for review',
  'Patient',
  'Birth date',
  'Document type',
  'Sender’s id',
  'Signer',
  'NPI',
  'Sender',
  'Recorded',
  'Received',
  'Changed',
]

const cellsOf = (task: OverviewTask): string[] => [
  `${task.taskId}`,
  task.status,
  task.inReview ? 'yes' : 'no',
  task.patient?.name ?? '',
  task.patient?.birthDate ?? '',
  task.documentType,
  task.externalDocId,
  task.signer,
  task.signerNpi,
  task.sender,
  task.isRecorded ? 'yes' : 'no',
  task.createdAt,
  task.updatedAt,
]

const MOST_ROWS = 10_000
const PAGE = 500
