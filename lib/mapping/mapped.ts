/** What a message is made into. */
import type { CreateTask } from '../contract/task/task.ts'

/** What becomes of a message. */
export type Mapped =
  /** A new document; with `replace`, one in the place of what was sent under the same id. */
  | { ok: true; action: 'create' | 'replace'; body: CreateTask; warnings: readonly string[] }
  /** What was sent under this id is taken back. */
  | { ok: true; action: 'retract'; externalDocId: string; warnings: readonly string[] }
  /** Nothing is sent. */
  | { ok: false; held: readonly string[] }
