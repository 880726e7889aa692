/** Tasks of one sender: created, read, listed, and the outcome recorded. Nothing here can reach another organization's task. */
import { type SelectQueryBuilder, sql } from 'kysely'
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import type { Actor } from '../../domain/audit.ts'
import type { TaskChange, TaskState } from '../../domain/task/task.ts'
import { inTransaction, type StoreContext } from '../context.ts'
import { type Flag, flag } from '../sql/flag.ts'
import { newestFirst } from '../sql/indexes/newest-first.ts'
import { unindexed } from '../sql/indexes/unindexed.ts'
import type { Schema } from '../sql/schema.ts'
import { changeTask } from './changes.ts'
import { documents, layDown } from './documents.ts'
import { insertTask, type NewTask } from './new-task.ts'
import { genuineTexts, type StoredTask, senderIndexes, type TaskRow, taskColumns, taskOf } from './task-row.ts'

export interface TaskFilter {
  externalSavedDocumentIds?: readonly string[] | undefined
  externalDocId?: string | undefined
  isArchived?: boolean | undefined
  isFiled?: boolean | undefined
  status?: TaskStatus | undefined
  before?: number | undefined
  limit: number
  /** How many to omit at the beginning. */
  offset?: number | undefined
}

export function tasks(context: StoreContext, organizationId: number, actor: Actor) {
  const { db } = context
  const index = senderIndexes(context, organizationId)
  const mine = () => db.selectFrom('task').select(taskColumns).where('organizationId', '=', organizationId)

  return {
    /** Writes the task and its document; both are on disk when this resolves. */
    async create(task: NewTask, at: Date): Promise<StoredTask> {
      const document = await layDown(context, task, at)
      const created = await inTransaction(context, async (inside) => {
        const stored = await insertTask(inside, organizationId, task, document, at)
        inside.audit({ action: 'task.create', by: actor, at, organizationId, taskId: stored.id })
        return stored
      })
      context.announce('task')
      return created
    },

    change: (taskId: number, decide: (task: TaskState) => TaskChange): Promise<TaskChange> =>
      changeTask(context, { scope: { organizationId }, taskId, actor, decide }),

    /** A change that takes a saved-document id for the task; `decide` is told whether the organization never used it before. */
    record: (
      taskId: number,
      savedDocumentId: string,
      decide: (task: TaskState, isNewId: boolean) => TaskChange,
      at: Date,
    ): Promise<TaskChange> => {
      const savedIndex = index.savedDocument(savedDocumentId)
      return changeTask(context, {
        scope: { organizationId },
        taskId,
        actor,
        async find(inside) {
          const { numInsertedOrUpdatedRows } = await inside.db
            .insertInto('savedDocument')
            .values({ organizationId, savedIndex, taskId, recordedAt: at.toISOString() })
            .onConflict((conflict) => conflict.doNothing())
            .executeTakeFirst()
          return numInsertedOrUpdatedRows !== 0n
        },
        decide,
        async also(inside, { task }) {
          // An archived task leaves the signer's history. Elsewhere it stays.
          if (task.isArchived)
            await inside.db
              .updateTable('event')
              .set({ signerNpi: null, delegateNpi: null })
              .where('taskId', '=', taskId)
              .execute()
          return { savedDocumentIndex: savedIndex }
        },
      })
    },

    async find(taskId: number): Promise<StoredTask | null> {
      const row = await mine().where('id', '=', taskId).executeTakeFirst()
      return row ? taskOf(context, row) : null
    },

    /** When the document of a task of this sender was removed; null while it is kept. */
    async contentsRemovedAt(taskId: number): Promise<string | null> {
      const owned = db.selectFrom('task').select('contentsRemovedAt').where('organizationId', '=', organizationId)
      return (await owned.where('id', '=', taskId).executeTakeFirst())?.contentsRemovedAt ?? null
    },

    /** Newest first. */
    async list(filter: TaskFilter): Promise<StoredTask[]> {
      if (filter.externalSavedDocumentIds?.length === 0) return []
      const rows = await matching(mine(), filter, index).execute()
      return rows.flatMap((row) => taskOf(context, row) ?? [])
    },

    /** The signed PDF of a task of this sender, or null. The reading is audited before the PDF is handed out. */
    signedPdf: (taskId: number, at: Date): Promise<Buffer | null> =>
      inTransaction(context, async (inside) => {
        const owned = inside.db.selectFrom('task').select(taskColumns).where('organizationId', '=', organizationId)
        const row = await owned.where('id', '=', taskId).executeTakeFirst()
        if (!row || !genuineTexts(inside, row)) return null
        const signed = await documents(inside).find(taskId, 'signed')
        if (signed) inside.audit({ action: 'document.read', by: actor, at, organizationId, taskId })
        return signed?.pdf ?? null
      }),
  }
}

/** The newest that match. An id of the sender's leads to few tasks, so what else is asked for is compared on those. */
function matching(
  mine: SelectQueryBuilder<Schema, 'task', TaskRow>,
  { externalSavedDocumentIds, externalDocId, isArchived, isFiled, status, before, limit, offset = 0 }: TaskFilter,
  index: ReturnType<typeof senderIndexes>,
) {
  const isSaved = externalSavedDocumentIds !== undefined
  const order = isSaved ? unindexed<number>('id') : newestFirst('id', true)
  const other = isSaved || externalDocId !== undefined ? unindexed : sql.ref
  let found = mine
  if (isSaved) found = found.where('savedDocumentIndex', 'in', externalSavedDocumentIds.map(index.savedDocument))
  if (externalDocId !== undefined) {
    const reference = isSaved ? unindexed : sql.ref
    found = found.where(reference<string>('externalDocIndex'), '=', index.externalDoc(externalDocId))
  }
  if (isArchived !== undefined) found = found.where(other<Flag>('isArchived'), '=', flag(isArchived))
  if (isFiled !== undefined) found = found.where(other<Flag>('isFiled'), '=', flag(isFiled))
  if (status !== undefined) found = found.where(other<TaskStatus>('status'), '=', status)
  if (before !== undefined) found = found.where(order, '<', before)
  const page = found.orderBy(order, 'desc').limit(limit)
  return offset > 0 ? page.offset(offset) : page
}
