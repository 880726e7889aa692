/** Tasks as the console shows them, with everything that happened to them. Bound to one organization, or to none for an operator. */
import type { Patient } from '../../../lib/contract/task/patient.ts'
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import type { Preparation } from '../../../lib/pdf/prepare/preparation.ts'
import type { ActorKind, AuditAction } from '../../domain/audit.ts'
import type { StoreContext } from '../context.ts'
import { bindings } from '../sealing/bindings.ts'
import { openJson } from '../sealing/sealed-json.ts'
import type { TaskRequest, TaskTexts } from './task-row.ts'

export interface OverviewFilter {
  status?: TaskStatus | undefined
  /** Only tasks that wait for a person to decide who the patient is. */
  inReview?: boolean | undefined
  limit: number
}

export interface OverviewTask {
  taskId: number
  status: TaskStatus
  inReview: boolean
  sender: string
  documentType: string
  signer: string
  externalDocId: string
  createdAt: string
  updatedAt: string
}

export interface TaskDetail extends OverviewTask, TaskTexts {
  documentId: number | null
  templateId: number | null
  patient: Patient
  clinicalDate: string
  /** What was done to the document before it was shown to the signer. */
  preparations: Preparation[]
  isFiled: boolean
  isArchived: boolean
}

/** What somebody did, from the audit log. */
export interface TaskAct {
  at: string
  action: AuditAction
  actor: ActorKind
  actorId: string | null
}

export interface TaskEvent {
  eventId: string
  status: TaskStatus
  at: string
}

export interface Counts {
  /** Tasks that ingestion works on, or will. */
  ingesting: number
  inReview: number
  pending: number
  deliveriesWaiting: number
  deliveriesFailed: number
}

export function taskOverview(context: StoreContext, organizationId: number | null) {
  const { db } = context
  const rows = () => {
    const query = db
      .selectFrom('task as t')
      .innerJoin('organization as o', 'o.id', 't.organizationId')
      .innerJoin('documentType as d', 'd.id', 't.documentTypeId')
      .leftJoin('provider as p', 'p.npi', 't.signerNpi')
      .select(['t.id', 't.status', 't.sealedReview', 't.sealedNotes', 't.createdAt', 't.updatedAt', 't.signerNpi'])
      .select(['o.name as sender', 'd.name as documentType', 'p.signingName'])
    return organizationId === null ? query : query.where('t.organizationId', '=', organizationId)
  }
  type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]
  const read = (row: Row): OverviewTask & TaskTexts => ({
    taskId: row.id,
    status: row.status,
    inReview: row.sealedReview !== null,
    sender: row.sender,
    documentType: row.documentType,
    signer: row.signingName ?? `NPI ${row.signerNpi}`,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    ...openJson<TaskTexts>(context, row.sealedNotes, bindings.taskTexts(row.id)),
  })

  return {
    /** Newest first. */
    async list({ status, inReview, limit }: OverviewFilter): Promise<OverviewTask[]> {
      let query = rows()
      if (status !== undefined) query = query.where('t.status', '=', status)
      if (inReview) query = query.where('t.sealedReview', 'is not', null)
      return (await query.orderBy('t.id', 'desc').limit(limit).execute()).map((row) => {
        const { statusReason, externalSavedDocumentId, ...listed } = read(row)
        return listed
      })
    },

    async find(taskId: number): Promise<TaskDetail | null> {
      const row = await rows()
        .select(['t.documentId', 't.templateId', 't.sealedRequest', 't.preparations', 't.isFiled', 't.isArchived'])
        .where('t.id', '=', taskId)
        .executeTakeFirst()
      if (!row) return null
      const { patient, effectiveDate } = openJson<TaskRequest>(context, row.sealedRequest, bindings.taskRequest(taskId))
      return {
        ...read(row),
        documentId: row.documentId,
        templateId: row.templateId,
        patient,
        clinicalDate: effectiveDate,
        preparations: JSON.parse(row.preparations) as Preparation[],
        isFiled: row.isFiled === 1,
        isArchived: row.isArchived === 1,
      }
    },

    /** Its status changes, in order. For a task that `find` found. */
    events: (taskId: number): Promise<TaskEvent[]> =>
      db
        .selectFrom('event')
        .select(['eventId', 'status', 'occurredAt as at'])
        .where('taskId', '=', taskId)
        .orderBy('sequence')
        .execute(),

    /** Who did what to it, in order. For a task that `find` found. */
    acts: (taskId: number): Promise<TaskAct[]> =>
      db
        .selectFrom('audit')
        .select(['at', 'action', 'actor', 'actorId'])
        .where('taskId', '=', taskId)
        .orderBy('sequence')
        .execute(),

    async counts(): Promise<Counts> {
      const tasks = async (status: TaskStatus | 'ingesting' | 'review') => {
        let query = db.selectFrom('task').select(({ fn }) => fn.countAll<number | string>().as('n'))
        if (organizationId !== null) query = query.where('organizationId', '=', organizationId)
        if (status === 'ingesting') query = query.where('ingestAt', 'is not', null)
        else if (status === 'review') query = query.where('sealedReview', 'is not', null)
        else query = query.where('status', '=', status)
        return Number((await query.executeTakeFirstOrThrow()).n)
      }
      const deliveries = async (state: 'waiting' | 'failed') => {
        let query = db.selectFrom('delivery').select(({ fn }) => fn.countAll<number | string>().as('n'))
        if (organizationId !== null) query = query.where('organizationId', '=', organizationId)
        return Number((await query.where('state', '=', state).executeTakeFirstOrThrow()).n)
      }
      return {
        ingesting: await tasks('ingesting'),
        inReview: await tasks('review'),
        pending: await tasks('Pending'),
        deliveriesWaiting: await deliveries('waiting'),
        deliveriesFailed: await deliveries('failed'),
      }
    },
  }
}
