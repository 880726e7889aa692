/** Why a document is held. */
const MEANINGS = {
  CONTENT_DIFFERS:
    'a task with this externalDocId was created from other content. Send a correction under a new externalDocId, for example with ".r2" at its end.',
  SEVERAL_TASKS: 'several tasks carry this externalDocId. Retract the unwanted ones; nothing was sent.',
  TASK_ENDED:
    'the task of this document was created and has ended already. Read its status reason, and send a correction under a new externalDocId.',
  OTHER_KEY:
    'a task with this externalDocId was created with another API key, and this key does not see it: the key belongs to another organization, or the task is gone. A person has to decide whether to send it.',
  WITHDRAWN:
    'its sender withdrew this document before it was sent. Nothing was sent. A person decides whether to send it all the same.',
  OUTCOME_UNKNOWN:
    'the service did not say whether the task was created, and its list is not reliable. Send the document again later: it is looked up first.',
} as const

/** Why a document is held. */
export type HeldCode = keyof typeof MEANINGS

/** A document was not sent, because sending it might make a second task. A person decides; `code` says about what. */
export class HeldError extends Error {
  /** The name of the class, which tells it apart also where several copies of this package are loaded. */
  override readonly name = 'HeldError'
  /** Why the document is held. */
  readonly code: HeldCode
  /** The tasks in question; empty when none is known. */
  readonly taskIds: readonly number[]
  /** When the document was withdrawn, milliseconds since 1970; undefined with every code but WITHDRAWN. */
  readonly withdrawnAt: number | undefined
  constructor(code: HeldCode, taskIds: readonly number[] = [], withdrawnAt?: number) {
    const tasks = taskIds.length > 0 ? ` Tasks: ${taskIds.join(', ')}.` : ''
    const time = withdrawnAt === undefined ? '' : ` Withdrawn at ${new Date(withdrawnAt).toISOString()}.`
    super(`createTask: held, ${MEANINGS[code]}${tasks}${time}`)
    this.code = code
    this.taskIds = taskIds
    this.withdrawnAt = withdrawnAt
  }
}
