/** Notes in the audit log what a sender asked for and may not have: another one's task, or a change that its status forbids. */
import type { Request, Response } from 'express'
import { type Clock, timeOf } from '../../lib/clock.ts'
import type { OperationName } from '../../lib/contract/operations.ts'
import type { Actor, AuditAction } from '../domain/audit.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { Store } from '../store/store.ts'

const NOTED: Partial<Record<OperationName, AuditAction>> = {
  readTask: 'task.read',
  updateTask: 'task.record',
  retractTask: 'task.retract',
  updateSubscription: 'subscription.update',
  deleteSubscription: 'subscription.delete',
}

export function noteRefusals(
  store: Pick<Store, 'audit'>,
  clock: Clock,
  actorOf: (req: Request, res: Response) => Actor,
) {
  return async (name: OperationName, { kind }: Refusal, req: Request, res: Response): Promise<void> => {
    const action = NOTED[name]
    if (!action || !res.locals.caller || (kind !== 'notFound' && kind !== 'conflict')) return
    const { organizationId } = res.locals.caller
    const { taskId } = res.locals
    const subject = taskId === undefined ? String(req.params.id) : undefined
    const by = actorOf(req, res)
    await store.audit.note({ action, by, at: timeOf(clock), organizationId, taskId, subject, outcome: 'refused' })
  }
}
