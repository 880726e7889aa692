/** Removes the documents and patients of tasks that ended long ago. What lists and reads of tasks show stays. choice: Retention */
import { isFinal, taskStatuses } from '../../lib/contract/task/task-status.ts'
import { SERVICE } from '../domain/audit.ts'
import { inTransaction, type StoreContext, type TransactionContext } from './context.ts'
import { bindings } from './sealing/bindings.ts'
import { sealJson } from './sealing/sealed-json.ts'
import { lockPatients } from './tasks/patients.ts'

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
        await inside.db.deleteFrom('document').where('taskId', '=', id).execute()
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
        // Without a patient, the signer's history has nothing to show it by.
        await inside.db.updateTable('event').set({ signerNpi: null }).where('taskId', '=', id).execute()
        inside.audit({ action: 'task.remove-contents', by: SERVICE, at, organizationId, taskId: id })
      }
      return tasks.length === TASKS_AT_ONCE
    }),

  /** Removes some patients who belong to no task any more and were not heard of since `before`. Returns as above. */
  removePatients: (before: Date, at: Date): Promise<boolean> =>
    inTransaction(context, async (inside) => {
      const found = await patientsWithoutTasks(inside, before)
      const organizations = new Set(found.map(({ organizationId }) => organizationId))
      // In one order, so that two processes do not wait for each other.
      for (const organizationId of [...organizations].sort((a, b) => a - b)) await lockPatients(inside, organizationId)
      // Seen before the lock: in the meantime one may have been found again for a new task.
      const patients = found.length > 0 ? await patientsWithoutTasks(inside, before) : []
      for (const { id, organizationId } of patients) {
        await inside.db.deleteFrom('patientAlias').where('patientId', '=', id).execute()
        await inside.db.deleteFrom('patient').where('id', '=', id).execute()
        inside.audit({ action: 'patient.remove', by: SERVICE, at, organizationId, subject: id })
      }
      return found.length === PATIENTS_AT_ONCE
    }),
})

/** Those of whose end every subscriber has been told, as far as it can be. */
function endedTasks({ db, locksRows }: TransactionContext, before: Date) {
  const query = db
    .selectFrom('task as t')
    .select(['t.id', 't.organizationId'])
    .where('t.contentsRemovedAt', 'is', null)
    .where('t.updatedAt', '<', before.toISOString())
    .where('t.status', 'in', ENDED)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('event as e')
            .leftJoin('delivery as d', (join) =>
              join.onRef('d.eventId', '=', 'e.eventId').on('d.state', '=', 'waiting'),
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

const patientsWithoutTasks = ({ db }: TransactionContext, before: Date) =>
  db
    .selectFrom('patient as p')
    .select(['p.id', 'p.organizationId'])
    .where('p.updatedAt', '<', before.toISOString())
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('task as t').select('t.id').whereRef('t.patientId', '=', 'p.id'))),
    )
    .orderBy('p.updatedAt')
    .limit(PATIENTS_AT_ONCE)
    .execute()
