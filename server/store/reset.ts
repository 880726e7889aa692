/** Takes back to the beginning what a sender did on a sandbox. Keys, templates, subscriptions and the audit log stay. */
import type { Actor } from '../domain/audit.ts'
import { inTransaction, type StoreContext } from './sql/context.ts'

/** Deletes the organization's tasks, patients and events, and what was made of them. */
export const resetOrganization = (context: StoreContext, organizationId: number, by: Actor, at: Date): Promise<void> =>
  inTransaction(context, async (inside) => {
    const { db } = inside
    const of = (table: 'task' | 'delivery') =>
      db.selectFrom(table).select('id').where('organization_id', '=', organizationId)
    await db.deleteFrom('attempt').where('delivery_id', 'in', of('delivery')).execute()
    for (const table of ['delivery', 'event', 'saved_document'] as const)
      await db.deleteFrom(table).where('organization_id', '=', organizationId).execute()
    for (const table of ['document', 'inbox_request'] as const)
      await db.deleteFrom(table).where('task_id', 'in', of('task')).execute()
    for (const table of ['task', 'patient_alias', 'patient'] as const)
      await db.deleteFrom(table).where('organization_id', '=', organizationId).execute()
    inside.audit({ action: 'sandbox.reset', by, at, organizationId })
  })
