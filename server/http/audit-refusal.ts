/** Audits what a sender asks for and is refused: another sender's task, or a change that its status forbids. */
import type { Request, Response } from 'express'
import { type Clock, timeOf } from '../../lib/clock.ts'
import { isTaskAction } from '../domain/audit.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { Row } from '../operations/row.ts'
import type { Store } from '../store/store.ts'
import { actorOf } from './callers/actor.ts'

export function auditRefusal(store: Pick<Store, 'audit'>, clock: Clock) {
  return async ({ audited }: Pick<Row, 'audited'>, { kind }: Refusal, req: Request, res: Response): Promise<void> => {
    const { caller, taskId } = res.locals
    if (!audited || !caller || (kind !== 'notFound' && kind !== 'conflict')) return
    await store.audit.append({
      ...(isTaskAction(audited)
        ? { action: audited, taskId }
        : { action: audited, subject: taskId === undefined ? String(req.params.id) : undefined }),
      by: actorOf(req, res),
      at: timeOf(clock),
      organizationId: caller.organizationId,
      outcome: 'refused',
    })
  }
}
