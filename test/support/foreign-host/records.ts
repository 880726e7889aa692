/** The tasks of the foreign host, and its rules for them. */

export type Json = Record<string, unknown>

export interface ForeignTask {
  taskId: number
  status: string
  reason: string | null
  externalDocId: string
  attachment: string
  savedId: string | null
  createdAt: string
  /** As it was sent. */
  body: Json
}

export interface Records {
  tasks: Map<number, ForeignTask>
  create(body: Json): [number, unknown?]
  record(task: ForeignTask, query: URLSearchParams): [number, unknown?]
  retract(task: ForeignTask, reason: string | null): [number, unknown?]
}

/** Beyond what 32 bits hold, and still exact. */
const FIRST_ID = 9_007_199_254_000_000

export function createRecords(): Records {
  const tasks = new Map<number, ForeignTask>()
  return {
    tasks,
    create(body) {
      const { attachment, externalDocId, annotations } = (body.document ?? {}) as Json
      const pdf = Buffer.from(String(attachment ?? ''), 'base64')
      if (!pdf.includes('%PDF')) return [400, { message: 'No PDF' }]
      if (isUpsideDown(annotations as Json)) return [400, { message: 'top must be above bottom' }]
      const taskId = FIRST_ID + tasks.size
      tasks.set(taskId, {
        taskId,
        status: 'Received',
        reason: null,
        externalDocId: String(externalDocId),
        attachment: String(attachment),
        savedId: null,
        createdAt: new Date().toISOString(),
        body,
      })
      // It says no more than the id.
      return [201, { taskId, status: 'Received' }]
    },
    record(task, query) {
      if (!['Completed', 'Rejected', 'Retracted'].includes(task.status)) return [400, { message: 'Not closed' }]
      task.savedId = query.get('externalSavedDocumentId')
      return [200, { recorded: true }]
    },
    retract(task, reason) {
      if (task.status !== 'Pending') return [400, { message: 'Not pending' }]
      task.status = 'Retracted'
      task.reason = reason
      return [200, {}]
    },
  }
}

/** Its coordinates begin at the bottom left. */
function isUpsideDown({ type, data }: Json): boolean {
  return type === 'Json' && (data as { top: number; bottom: number }[]).some(({ top, bottom }) => top <= bottom)
}

/** A task as it is read: what is not known is left out. */
export const shown = (
  { taskId, status, reason, externalDocId, attachment, savedId, createdAt }: ForeignTask,
  whole: boolean,
) => ({
  taskId,
  status,
  ...(reason !== null && { statusReason: reason }),
  externalDocId,
  createdAt,
  priority: 7,
  output: {
    ...(savedId !== null && { externalSavedDocumentId: savedId }),
    ...(whole && status === 'Completed' && { attachment }),
  },
})
