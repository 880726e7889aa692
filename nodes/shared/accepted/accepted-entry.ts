/** The journal entry of an accepted order, and the part of it that is encrypted. */
import { deserialize, serialize } from 'node:v8'
import type { CreateTask } from '../../../lib/contract/task/task.ts'
import { pack, unpack } from '../carry/pack.ts'
import type { Message } from '../runtime/node-red.ts'

export interface AcceptedEntry {
  /** The contents, Base64. */
  sealed: string
  /** The process that wrote the entry last. */
  run: string
  /** When the service has answered: the task. There is no document in the entry any more. */
  taskId?: number
  /** The time at which it began to wait for a person because the document was withdrawn, milliseconds since 1970. */
  withdrawnAt?: number
}

export interface Contents {
  /** The node's input, or, when there is a task, its output. */
  message: Message
  /** The order to send to the service; undefined when there is a task. */
  order?: Readonly<{ body: CreateTask; warnings: readonly string[] }>
}

/** The document as bytes, which take less room than text. */
interface Stored {
  messageId: string | undefined
  properties: Buffer
  order: { body: object; pdf: Buffer; warnings: readonly string[] } | undefined
}

/** Turns the contents into bytes, and names the properties of the message that cannot be stored. */
export function packContents({ message, order }: Contents): { bytes: Buffer; dropped: string[] } {
  const { bytes: properties, dropped } = pack(message, { maxBytes: Number.POSITIVE_INFINITY })
  const stored: Stored = { messageId: message._msgid, properties, order: order && withoutText(order) }
  return { bytes: serialize(stored), dropped }
}

/** Throws when the bytes are not what `packContents` made. */
export function unpackContents(bytes: Buffer): Contents {
  const { messageId, properties, order } = deserialize(bytes) as Stored
  const message = { ...unpack(properties), ...(messageId !== undefined && { _msgid: messageId }) }
  return { message, ...(order && { order: withText(order) }) }
}

function withoutText({ body, warnings }: NonNullable<Contents['order']>): NonNullable<Stored['order']> {
  const { attachment, ...document } = body.document
  return { body: { ...body, document }, pdf: Buffer.from(attachment, 'base64'), warnings }
}

function withText({ body, pdf, warnings }: NonNullable<Stored['order']>): NonNullable<Contents['order']> {
  const { document, ...others } = body as CreateTask
  return { body: { ...others, document: { ...document, attachment: pdf.toString('base64') } }, warnings }
}
