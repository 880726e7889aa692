/** Fetches the signed PDF of a completed task, as a Buffer or into a file. */
import { fetchSigned } from '../lib/client/fetch-signed.ts'
import { anyPathId } from '../lib/contract/primitives.ts'
import { fileName } from './shared/document/file-name.ts'
import { saveWhole } from './shared/document/save-whole.ts'
import { registerMessageNode } from './shared/message-node.ts'
import type { Runtime } from './shared/runtime/node-red.ts'

export default function (RED: Runtime) {
  registerMessageNode(RED, {
    type: 'countersign-download',
    inputs: { taskId: anyPathId() },
    async work({ inputs: { taskId }, config, connection, runtime, signal }) {
      const { bytes, task, sha256 } = await fetchSigned(connection.client, taskId, { signal })
      const { externalDocId, status } = task
      const name = fileName(String(config.filename || '{taskId}.pdf'), { taskId, externalDocId: externalDocId ?? '' })
      const unique = runtime.util.generateId()
      const path =
        config.deliver === 'file' ? await saveWhole(String(config.folder ?? ''), name, bytes, unique) : undefined
      return {
        set: {
          taskId,
          status,
          externalDocId,
          sha256,
          payload: path ?? bytes,
          filename: path ?? name,
          contentType: 'application/pdf',
          size: bytes.length,
        },
        shown: { tone: 'good', key: 'downloaded' },
      }
    },
  })
}
