/** The audit log: listed, saved as a file, and checked. */
import * as z from 'zod'
import { EXPORTS, VERIFICATIONS_OF_THE_LOG } from '../../choices.ts'
import { csvOf } from '../../domain/csv.ts'
import type { ListedAudit } from '../../store/tasks/audit-list.ts'
import type { CsvAnswer } from '../row.ts'
import { AuditExportQuery, AuditListed, AuditQuery, AuditVerification } from './messages/audit.ts'
import { OPERATOR_ALONE, operatorRow } from './operator-context.ts'

const group = 'Audit log'

export const listAudit = operatorRow({
  method: 'get',
  path: '/admin/v1/audit',
  group,
  summary: 'List the audit log, newest first',
  who: OPERATOR_ALONE,
  query: AuditQuery,
  responses: { 200: z.array(AuditListed) },
  run: ({ store }, { query: { before, limit, ...filter } }) =>
    store.audit.list({ ...filterOf(filter), ...given({ before }), limit }),
})

export const exportAudit = operatorRow({
  method: 'get',
  path: '/admin/v1/audit/export',
  group,
  summary: 'Download the audit log as CSV, newest first, 10,000 entries at most',
  who: OPERATOR_ALONE,
  query: AuditExportQuery,
  atOnce: { ...EXPORTS, of: 'exports of the audit log' },
  responses: { 200: 'csv' },
  async run({ store, by, at }, { query }): Promise<CsvAnswer> {
    const entries: ListedAudit[] = []
    for (let before: number | undefined; entries.length < MOST_ROWS; before = entries.at(-1)?.sequence) {
      const page = await store.audit.list({ ...filterOf(query), ...given({ before }), limit: PAGE })
      entries.push(...page)
      if (page.length < PAGE) break
    }
    await store.audit.append({ action: 'audit.export', by, at, organizationId: null, subject: entries.length })
    return { csv: csvOf(HEAD, entries.map(cellsOf)), fileName: 'audit.csv' }
  },
})

export const verifyAudit = operatorRow({
  method: 'post',
  path: '/admin/v1/audit/verify',
  group,
  summary:
    'Read the whole audit log, and say whether it, or a row that grants access, was changed without the master key',
  who: OPERATOR_ALONE,
  atOnce: { ...VERIFICATIONS_OF_THE_LOG, of: 'checks of the audit log' },
  responses: { 200: AuditVerification },
  async run({ store, by, at }) {
    const { rows, head, fault, rowFaults } = await store.audit.verify()
    await store.audit.append({ action: 'audit.verify', by, at, organizationId: null, subject: head.sequence })
    return { entries: rows, head: `${head.sequence}:${head.hash}`, fault, changedRows: rowFaults.length }
  },
})

const HEAD = [
  'Number',
  'Time',
  'Who',
  'Kind',
  'Id',
  'Action',
  'Outcome',
  'Organization',
  'Task',
  'Subject',
  'Request',
  'Address',
]

const cellsOf = (entry: ListedAudit): string[] =>
  [
    entry.sequence,
    entry.at,
    entry.by.name,
    entry.by.kind,
    entry.by.id,
    entry.action,
    entry.outcome,
    entry.organizationId,
    entry.taskId,
    entry.subject,
    entry.requestId,
    entry.ip,
  ].map((value) => `${value ?? ''}`)

/** Times in the form in which they are kept. */
const filterOf = ({ since, until, ...filter }: z.output<typeof AuditExportQuery>) =>
  given({ ...filter, since: inUtc(since), until: inUtc(until) })

const inUtc = (time: string | null | undefined) => (time ? new Date(time).toISOString() : undefined)

/** Returns the object without what was omitted. */
const given = <T extends object>(filter: T) =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null && value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }

const MOST_ROWS = 10_000
const PAGE = 500
