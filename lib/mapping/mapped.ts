/** The results of mapping a message. */
import type { CreateTask } from '../contract/task/task.ts'

/**
 * Where the values of a request come from: by field of the request, such as `patient.names[0]`, a place in the message, such as
 * `PID-5(2)` or `Patient.name[1]`. A place is that of all that is in the field; what is in the map alone names the map.
 */
export type Origins = Readonly<Record<string, string>>

export type Mapped = NewDocument | TakenBack | HeldMessage

/** A document is sent. */
export interface NewDocument {
  /** Whether the message can be used. */
  ok: true
  /** A new document; with `replace`, one in the place of an earlier one. */
  action: 'create' | 'replace'
  /** The ids under which the earlier document may have been sent, for `replace`; its own id where omitted. */
  replaces?: readonly string[]
  /** Other ids of the same document, such as the number of its order that another party assigned; omitted where there are none. */
  aliases?: readonly string[]
  /** The request. */
  body: CreateTask
  /** Where the values of the request come from. */
  origins: Origins
  /** Sentences about values that were omitted or chosen, without values of a patient. */
  warnings: readonly string[]
}

/** The document that was sent under an id is retracted. */
export interface TakenBack {
  /** Whether the message can be used. */
  ok: true
  /** Always `retract`. */
  action: 'retract'
  /** The sender's id of the document. */
  externalDocId: string
  /** Other ids under which the document may have been sent; omitted where there are none. */
  aliases?: readonly string[]
  /** Sentences about values that were omitted or chosen, without values of a patient. */
  warnings: readonly string[]
}

/** Nothing is sent. */
export interface HeldMessage {
  /** Whether the message can be used. */
  ok: false
  /** Every reason, as sentences without values of a patient. */
  held: readonly string[]
}
