/** Takes back to the beginning what a sender did on a sandbox. Keys, templates and the audit log stay; subscriptions are active again. */
import type { Actor } from '../domain/audit.ts'
import { inTransaction, type StoreContext, type TransactionContext } from './context.ts'
import { noLongerNamed } from './objects/unnamed-objects.ts'
import { changeRows } from './rows/write-rows.ts'

/** Deletes the organization's tasks, patients and events, and what was made of them. */
export const resetOrganization = (context: StoreContext, organizationId: number, by: Actor, at: Date): Promise<void> =>
  inTransaction(context, async (inside) => {
    await removeAll(inside, organizationId, at)
    const own = { isActive: 1, finding: null } as const
    await changeRows(
      inside,
      'subscription',
      (all) => all.where('organizationId', '=', organizationId).where('deletedAt', 'is', null),
      own,
    )
    inside.audit({ action: 'sandbox.reset', by, at, organizationId })
  })

/** Deletes the same inside a transaction that does more. */
export async function removeAll(inside: TransactionContext, organizationId: number, at: Date): Promise<void> {
  const { db } = inside
  const of = (table: 'task' | 'delivery') =>
    db.selectFrom(table).select('id').where('organizationId', '=', organizationId)
  await db.deleteFrom('attempt').where('deliveryId', 'in', of('delivery')).execute()
  for (const table of ['delivery', 'event', 'savedDocument'] as const)
    await db.deleteFrom(table).where('organizationId', '=', organizationId).execute()
  const documents = db.deleteFrom('document').where('taskId', 'in', of('task')).returning('object')
  await noLongerNamed(inside, await documents.execute(), at)
  await db.deleteFrom('taskTerm').where('taskId', 'in', of('task')).execute()
  await db.deleteFrom('inboxRequest').where('taskId', 'in', of('task')).execute()
  for (const table of ['task', 'patientAlias', 'patient'] as const)
    await db.deleteFrom(table).where('organizationId', '=', organizationId).execute()
}
