/**
 * Sends a document to a signer, at most once. shared/form/task-body.ts builds the body, lib/client/once/create-once.ts sends it,
 * and shared/accepted lets the next start finish what a crash or a deploy has left.
 */

import { HeldError } from '../lib/client/once/held-error.ts'
import { type AcceptedOrders, createAcceptedOrders, type Order } from './shared/accepted/accepted-orders.ts'
import { untilAnswered } from './shared/accepted/until-answered.ts'
import { type Replaced, replacedBy, withdrawReplaced } from './shared/document/replaced-documents.ts'
import { idsIn } from './shared/document/retract-document.ts'
import { typedInput } from './shared/form/evaluate.ts'
import { taskBody } from './shared/form/task-body.ts'
import { wholeBodyInput } from './shared/form/whole-body.ts'
import { taken } from './shared/intake/taken.ts'
import { registerMessageNode, type Work } from './shared/message-node.ts'
import type { Runtime } from './shared/runtime/node-red.ts'

export default function (RED: Runtime) {
  registerMessageNode(RED, {
    type: 'countersign-create-task',
    inputs: {},
    keep: (keeping) => (keeping.config.keep === true ? createAcceptedOrders(keeping) : undefined),
    async work(work) {
      const { config, message, service, kept } = work
      const resumed = kept?.resumed(message)
      if (resumed?.taskId !== undefined) {
        await kept?.created(message, resumed.taskId, message)
        taken(message)
        return { set: {}, shown: { tone: 'good', key: 'created' } }
      }
      const order = resumed?.order ?? (await accept(work))
      const replaced = await withdraw(work, order)
      const sent = await send(work, order).catch((failure) => parked(work, failure))
      if (sent instanceof HeldError) {
        const key = sent.code === 'WITHDRAWN' ? 'parkedWithdrawn' : 'parked'
        return { set: {}, sequence: [], shown: { tone: 'waiting', key } }
      }
      const { taskId, status, statusReason, duplicate } = sent
      if (config.keepAttachment !== true) await dropAttachment(RED, work)
      const { externalDocId } = order.body.document
      const signatureService = service.place
      const set = {
        ...{ signatureService, taskId, status, statusReason, externalDocId, duplicate, warnings: order.warnings },
        ...(replaced.length > 0 && { replaced }),
      }
      await kept?.created(message, taskId, { ...message, ...set })
      taken(message)
      return { set, shown: { tone: 'good', key: duplicate ? 'duplicate' : 'created' } }
    },
  })
}

type CreateWork = Work<Record<never, never>, AcceptedOrders>

/** From here on the order survives a crash. */
async function accept({ reader, message, connection, service, node, kept }: CreateWork): Promise<Order> {
  const { body, warnings } = await taskBody(reader, connection.speech, service.settings.timeZone)
  for (const warning of warnings) node.warn(warning)
  await kept?.accept(message, { body, warnings })
  return { body, warnings }
}

/** The signer may read it. */
const REPLACED = 'Replaced by a newer document'
/** A replacement may follow its document at once, while the service still looks for the patient. */
const REPLACED_WITHIN_MS = 60_000

/** The order is in the journal by then, so a crash in between is finished by the next start. */
async function withdraw(
  { message, connection, kept, signal, retrying }: CreateWork,
  { body }: Order,
): Promise<Replaced[]> {
  const ids = replacedBy(message, body.document.externalDocId)
  const { externalDocId } = body.document
  const call = () =>
    withdrawReplaced(connection, ids, externalDocId ?? undefined, {
      reason: REPLACED,
      signal,
      patienceMs: REPLACED_WITHIN_MS,
    })
  try {
    return kept?.resumed(message) ? await untilAnswered(call, { signal, onRetry: retrying }) : await call()
  } catch (failure) {
    if (!signal.aborted) await kept?.forget(message)
    throw failure
  }
}

/** After a failure, the flow may send a message again; a message that a crash has left is sent by no one else. */
async function send({ message, connection, kept, signal, retrying }: CreateWork, { body }: Order) {
  const { externalDocId } = body.document
  const isDecided = kept?.isDecided(message) === true
  const withdrawnAt = kept?.knownWithdrawal(message)
  const replaces = replacedBy(message, externalDocId)
  const aliases = idsIn(message.aliases)
  const call = async () => {
    if (withdrawnAt !== undefined) await connection.create.liftWithdrawal([externalDocId, ...aliases], withdrawnAt)
    return connection.create.createTask(body, { signal, isDecided, aliases, replaces, onRetry: retrying })
  }
  try {
    return kept?.resumed(message) ? await untilAnswered(call, { signal, onRetry: retrying }) : await call()
  } catch (failure) {
    if (!signal.aborted && !isForPerson(failure)) await kept?.forget(message)
    throw failure
  }
}

const isForPerson = (failure: unknown): failure is HeldError =>
  failure instanceof HeldError && (failure.code === 'OTHER_KEY' || failure.code === 'WITHDRAWN')

/**
 * Keeps an order that only a person can decide about; the sidebar offers to send or to discard it. Throws every other failure, and all
 * of them where the node keeps no orders; one that was withdrawn is over then, and its message does not come again.
 */
async function parked({ runtime, message, node, kept }: CreateWork, failure: unknown): Promise<HeldError> {
  if (!isForPerson(failure)) throw failure
  const isKept = kept?.isKept(message) === true
  if (isKept) await kept.park(message, failure.withdrawnAt)
  if (isKept || failure.code === 'WITHDRAWN') taken(message)
  if (!isKept) throw failure
  node.warn(runtime._('warning.parked', { reason: failure.message }))
  return failure
}

/**
 * Takes the document out of the message: the nodes that follow need only its ids, and every copy of the message would carry it
 * along. The path of a file stays, because a flow may want to move the file.
 */
async function dropAttachment(RED: Runtime, { config, reader, message }: CreateWork) {
  const whole = await wholeBodyInput(reader)
  if (whole === null && config.attachmentForm === 'path') return
  const { type, value } = typedInput(config, whole ?? 'attachment')
  const path = whole === null ? value : `${value}.document.attachment`
  if (type === 'msg') RED.util.setMessageProperty(message, String(path), undefined)
}
