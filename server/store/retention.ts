/** Removes the documents and patients of tasks that ended long ago. What lists and reads of tasks show stays. choice: Retention */
import { type SqlBool, sql } from 'kysely'
import type { TaskStatus } from '../../lib/contract/task/task.ts'
import { isFinal, taskStatuses } from '../../lib/contract/task/task-status.ts'
import { SERVICE } from '../domain/audit.ts'
import { inTransaction, type StoreContext, type TransactionContext } from './context.ts'
import { noLongerNamed } from './objects/unnamed-objects.ts'
import { bindings } from './sealing/bindings.ts'
import { sealJson } from './sealing/sealed-json.ts'
import { unindexed } from './sql/indexes/unindexed.ts'
import { lockAllPatients } from './tasks/patient-locks.ts'
import { removeTerms } from './tasks/search-terms.ts'

/** A little at a time: a document may have megabytes, and others who wait for the database are let in between. */
const TASKS_AT_ONCE = 4
const PATIENTS_AT_ONCE = 100

const ENDED = taskStatuses.filter(isFinal)

export const retention = (context: StoreContext) => ({
  /** Removes the contents of some tasks that have not changed since `before`. Returns whether there may be more of them. */
  removeContents: (before: Date, at: Date): Promise<boolean> =>
    inTransaction(context, async (inside) => {
      const tasks = await endedTasks(inside, before)
      for (const { id, organizationId } of tasks) {
        const removed = inside.db.deleteFrom('document').where('taskId', '=', id).returning('object')
        await noLongerNamed(inside, await removed.execute(), at)
        await inside.db
          .updateTable('task')
          .set({
            sealedRequest: sealJson(inside, null, bindings.taskRequest(id)),
            sealedFields: null,
            patientId: null,
            contentsRemovedAt: at.toISOString(),
          })
          .where('id', '=', id)
          .execute()
        await removeTerms(inside, id)
        // Without a patient, the signer's history has nothing to show it by.
        await inside.db
          .updateTable('event')
          .set({ signerNpi: null, delegateNpi: null })
          .where('taskId', '=', id)
          .execute()
        inside.audit({ action: 'task.remove-contents', by: SERVICE, at, organizationId, taskId: id })
      }
      return tasks.length === TASKS_AT_ONCE
    }),

  /**
   * Looks at some patients who were not seen since `before`, the next ones `after` those of the call before, and removes
   * those who belong to no task any more. Returns the last it looked at, or null when there are no more.
   */
  removePatients: (before: Date, at: Date, after?: PatientPlace | null): Promise<PatientPlace | null> =>
    inTransaction(context, async (inside) => {
      const seen = await patientsBefore(inside, before, after ?? START).execute()
      const unused = seen.filter(({ isUsed }) => !isUsed)
      const organizations = new Set(unused.map(({ organizationId }) => organizationId))
      // In one order, so that two processes do not wait for each other.
      for (const organizationId of [...organizations].sort((a, b) => a - b))
        await lockAllPatients(inside, organizationId)
      // Seen before the lock: in the meantime one may have been found again for a new task.
      const ids = unused.map(({ id }) => id)
      const again = ids.length > 0 ? await patientsBefore(inside, before, START).where('p.id', 'in', ids).execute() : []
      for (const { id, organizationId } of again.filter(({ isUsed }) => !isUsed)) {
        await inside.db.deleteFrom('patientAlias').where('patientId', '=', id).execute()
        await inside.db.deleteFrom('patient').where('id', '=', id).execute()
        inside.audit({ action: 'patient.remove', by: SERVICE, at, organizationId, subject: id })
      }
      return seen.length === PATIENTS_AT_ONCE ? seen.at(-1)! : null
    }),
})

/** Where a patient is among all, by the last change. */
export interface PatientPlace {
  updatedAt: string
  id: number
}
const START: PatientPlace = { updatedAt: '', id: 0 }

/** Returns the oldest tasks, of any status, whose end every subscriber has been notified of, as far as it can be. */
async function endedTasks(inside: TransactionContext, before: Date) {
  const found = []
  for (const status of ENDED) found.push(...(await endedAs(inside, status, before)))
  return found
    .sort((a, b) => (a.updatedAt === b.updatedAt ? a.id - b.id : a.updatedAt < b.updatedAt ? -1 : 1))
    .slice(0, TASKS_AT_ONCE)
}

function endedAs({ db, locksRows }: TransactionContext, status: TaskStatus, before: Date) {
  const query = db
    .selectFrom('task as t')
    .select(['t.id', 't.organizationId', 't.updatedAt'])
    .where('t.contentsRemovedAt', 'is', null)
    .where('t.updatedAt', '<', before.toISOString())
    .where('t.status', '=', status)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('event as e')
            .leftJoin('delivery as d', (join) =>
              join.onRef('d.eventId', '=', 'e.eventId').on(unindexed('d.state'), '=', 'waiting'),
            )
            .select('e.eventId')
            .whereRef('e.taskId', '=', 't.id')
            .where(({ eb, or }) => or([eb('e.isFannedOut', '=', 0), eb('d.id', 'is not', null)])),
        ),
      ),
    )
    .orderBy('t.updatedAt')
    .orderBy('t.id')
    .limit(TASKS_AT_ONCE)
  return (locksRows ? query.forUpdate('t').skipLocked() : query).execute()
}

const patientsBefore = ({ db }: TransactionContext, before: Date, after: PatientPlace) =>
  db
    .selectFrom('patient as p')
    .select(['p.id', 'p.organizationId', 'p.updatedAt'])
    .select(({ exists, selectFrom }) =>
      exists(selectFrom('task as t').select('t.id').whereRef('t.patientId', '=', 'p.id')).as('isUsed'),
    )
    .where('p.updatedAt', '<', before.toISOString())
    .where(sql<SqlBool>`(p.updated_at, p.id) > (${after.updatedAt}, ${after.id})`)
    .orderBy('p.updatedAt')
    .orderBy('p.id')
    .limit(PATIENTS_AT_ONCE)
