/**
 * Withdraws what waits in the signer's inbox, or is not there yet: a task, or a document by its sender's ids. The work is done in
 * lib/client/once.
 */
import { retractOnce } from '../lib/client/once/retract-once.ts'
import { anyPathId, MAX_HOST_TEXT, upTo } from '../lib/contract/primitives.ts'
import { idsIn, retractDocument } from './shared/document/retract-document.ts'
import { lengthWarnings } from './shared/form/checks.ts'
import { readInputs } from './shared/form/inputs.ts'
import { taken } from './shared/intake/taken.ts'
import { registerMessageNode } from './shared/message-node.ts'
import type { Message, Runtime } from './shared/runtime/node-red.ts'
import { checkDocumentOf, checkService } from './shared/service/same-task.ts'

/** The output of a document that has no task. */
const NEVER_SENT = 1

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
          ? await retractDocument(
              connection,
              { externalDocId: String(externalDocId), aliases: aliasesIn(message) },
              options,
            )
          : await retractTask(inputs.taskId)
      taken(message)
      if (!('taskId' in retracted)) {
        const withdrawnAt = new Date(retracted.withdrawnAt).toISOString()
        const set = { status: 'Withdrawn', withdrawnAt, taskId: undefined, repeated: undefined }
        return { set, output: NEVER_SENT, shown: { tone: 'waiting', key: 'withdrawnUnsent' } }
      }
      return { set: { ...retracted, status: 'Retracted' }, shown: { tone: 'good', key: 'retracted' } }
    },
  })
}

/** A replacement withdraws the document that was sent under its id; the order, whose numbers the other ids are, continues. */
const aliasesIn = ({ action, aliases }: Message): string[] => (action === 'replace' ? [] : idsIn(aliases))
