/** What a message is made into. */
import type { CreateTask } from '../contract/task/task.ts'

/** What becomes of a message. */
export type Mapped = NewDocument | TakenBack | HeldMessage

/** A document is sent. */
export interface NewDocument {
  /** Whether the message can be used. */
  ok: true
  /** A new document; with `replace`, one in the place of what was sent under the same id. */
  action: 'create' | 'replace'
  /** The request. */
  body: CreateTask
  /** What was left out or chosen, as sentences without values of a patient. */
  warnings: readonly string[]
}

/** What was sent under an id is taken back. */
export interface TakenBack {
  /** Whether the message can be used. */
  ok: true
  /** Always `retract`. */
  action: 'retract'
  /** The sender's id of the document. */
  externalDocId: string
  /** What was left out or chosen, as sentences without values of a patient. */
  warnings: readonly string[]
}

/** Nothing is sent. */
export interface HeldMessage {
  /** Whether the message can be used. */
  ok: false
  /** Every reason, as sentences without values of a patient. */
  held: readonly string[]
}
