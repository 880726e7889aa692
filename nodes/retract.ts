/** Withdraws what waits in the signer's inbox: a task, or a document by its sender's id. The work is done in lib/client/once/retract-once.ts. */
import { retractOnce } from '../lib/client/once/retract-once.ts'
import { anyPathId, MAX_HOST_TEXT, upTo } from '../lib/contract/primitives.ts'
import { retractDocument } from './shared/document/retract-document.ts'
import { lengthWarnings } from './shared/form/checks.ts'
import { readInputs } from './shared/form/inputs.ts'
import { taken } from './shared/intake/taken.ts'
import { registerMessageNode } from './shared/message-node.ts'
import { NodeError } from './shared/runtime/failures.ts'
import type { Message, Runtime } from './shared/runtime/node-red.ts'
import type { Connection } from './shared/service/connection.ts'
import { checkDocumentOf, checkService } from './shared/service/same-task.ts'

/** A cancellation may follow its order at once, while the service still looks for the patient. */
const PATIENCE_MS = 60_000

export default function (RED: Runtime) {
  registerMessageNode(RED, {
    type: 'countersign-retract',
    inputs: { reason: upTo(MAX_HOST_TEXT).optional() },
    async work({ inputs: { reason }, connection, message, reader, node, service, signal }) {
      const { client, speech } = connection
      const { profile, checks } = speech
      const { externalDocId } = message
      const given = { field: 'reason', text: reason, longest: profile.limits.reasonLength }
      for (const warning of lengthWarnings(given, checks, reader)) node.warn(warning)
      // A sender that takes a document back knows its own id of it alone.
      const byDocument = typeof externalDocId === 'string' && externalDocId !== ''
      const schema = anyPathId()
      const inputs = await readInputs({ taskId: byDocument ? schema.optional() : schema }, reader)
      const options = { reason, signal, patienceMs: PATIENCE_MS }
      const retractTask = async (taskId: number) => {
        checkService(message, service)
        await checkDocumentOf(message, client, taskId, signal)
        return { taskId, ...(await retractOnce(client, taskId, options)) }
      }
      const retracted =
        inputs.taskId === undefined
          ? await retractByAnyId([String(externalDocId), ...aliasesIn(message)], connection, options)
          : await retractTask(inputs.taskId)
      taken(message)
      return { set: { ...retracted, status: 'Retracted' }, shown: { tone: 'good', key: 'retracted' } }
    },
  })
}

/** Other ids of the document, such as the number of its order that another party assigned, as the order nodes set them. */
const aliasesIn = ({ aliases }: Message): string[] =>
  (Array.isArray(aliases) ? aliases : []).filter((id): id is string => typeof id === 'string' && id !== '')

/** Retracts the document by the first of its ids under which there is a task. Throws as `retractDocument` does. */
async function retractByAnyId(
  [id, ...others]: readonly string[],
  connection: Connection,
  options: Parameters<typeof retractDocument>[2],
): ReturnType<typeof retractDocument> {
  try {
    return await retractDocument(connection, String(id), options)
  } catch (failure) {
    const isUnknown = failure instanceof NodeError && failure.code === 'UNKNOWN_TASK'
    if (!isUnknown || others.length === 0) throw failure
    return retractByAnyId(others, connection, options)
  }
}
