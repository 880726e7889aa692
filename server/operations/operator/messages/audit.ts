/** Entries of the audit log as the operator's interface gives them. */
import * as z from 'zod'
import { docs } from '../../../../lib/contract/docs.ts'
import { optional, text } from '../../../../lib/contract/primitives.ts'
import type { ActorKind, AuditAction } from '../../../domain/audit.ts'
import { limit, only, Time } from './lists.ts'

export const AuditListed = z
  .object({
    sequence: z.int(),
    at: z.string(),
    by: z.object({
      kind: z.custom<ActorKind>((value) => typeof value === 'string'),
      id: z.string().nullable(),
      name: z.string().nullable(),
    }),
    action: z.custom<AuditAction>((value) => typeof value === 'string'),
    outcome: z.enum(['done', 'refused']),
    organizationId: z.int().nullable(),
    taskId: z.int().nullable(),
    /** The id of the thing that it was done to. */
    subject: z.string().nullable(),
    requestId: z.string().nullable(),
    ip: z.string().nullable(),
  })
  .register(docs, {
    id: 'AuditEntry',
    title: 'Audit entry',
    description: 'Who did what to what, when, and from where. Ids only, and the names of those who acted.',
    examples: [
      {
        sequence: 12,
        at: '2026-03-02T09:00:00.000Z',
        by: { kind: 'operator', id: '1', name: 'Ann Vale' },
        action: 'task.cancel',
        outcome: 'done',
        organizationId: 4,
        taskId: 1001,
        subject: null,
        requestId: null,
        ip: '192.0.2.7',
      },
    ],
  })
export type AuditListed = z.infer<typeof AuditListed>

/** Whether the log is whole. */
export const AuditVerification = z.object({
  entries: z.int(),
  head: z.string().register(docs, {
    title: 'Head',
    description: 'Number and digest of the newest entry. Keep it where no one who can write to the store can write.',
    examples: ['12:5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef'],
  }),
  /** The fault of the log; null where it is whole. */
  fault: z.string().nullable(),
  /** How many rows that grant access were changed without the master key. */
  changedRows: z.int(),
})
export type AuditVerification = z.infer<typeof AuditVerification>

const filter = {
  action: optional(
    z
      .string()
      .regex(/^[a-z-]+\.[a-z-]+$/, 'an action such as task.sign')
      .transform((action) => action as AuditAction),
  ).register(docs, {
    title: 'Action',
    description: 'Only entries of this action.',
    examples: ['task.sign'],
    type: 'string',
  }),
  taskId: only('Task', 'Only entries about this task.'),
  actor: optional(text(100)).register(docs, {
    title: 'Actor',
    description: 'Only entries of who acted: the id of an account or a key, the NPI of a signer, or `service`.',
    examples: ['9999900019'],
    type: 'string',
  }),
  since: optional(Time).register(docs, {
    title: 'Since',
    description: 'Only entries from this time on.',
    examples: ['2026-03-02T09:00:00Z'],
    type: 'string',
  }),
  until: optional(Time).register(docs, {
    title: 'Until',
    description: 'Only entries before this time.',
    examples: ['2026-03-03T09:00:00Z'],
    type: 'string',
  }),
}

export const AuditExportQuery = z.strictObject(filter)
export const AuditQuery = z.strictObject({
  ...filter,
  limit,
  before: only('Before', 'Only entries before this one: the next page.'),
})
