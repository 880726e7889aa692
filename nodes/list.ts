/** Lists tasks, page after page, as one array or as a sequence of messages. */
import { listAll } from '../lib/client/list-all.ts'
import { operations } from '../lib/contract/operations.ts'
import { MAX_HOST_TEXT, text } from '../lib/contract/primitives.ts'
import type { Task } from '../lib/contract/task/task.ts'
import { registerMessageNode } from './shared/message-node.ts'
import type { Runtime } from './shared/runtime/node-red.ts'

export default function (RED: Runtime) {
  const { status, externalSavedDocumentIds, isArchived, isFiled } = operations.listTasks.query.shape
  const externalDocId = text(MAX_HOST_TEXT).optional()
  registerMessageNode(RED, {
    type: 'countersign-list',
    // Not "status": under that name the editor keeps what a node shows.
    inputs: { taskStatus: status, externalDocId, externalSavedDocumentIds, isArchived, isFiled },
    wireNames: { taskStatus: 'status' },
    async work({ inputs: { taskStatus, ...others }, config, connection, node, runtime, signal }) {
      const filter = Object.fromEntries(
        Object.entries({ status: taskStatus, ...others }).filter(([, value]) => value !== undefined),
      )
      // A host without paging may refuse its parameters.
      const pages = listAll(connection.client, filter, { signal, pageSize: config.paging === false ? null : 100 })
      const tasks: Task[] = []
      let page = await pages.next()
      for (; !page.done; page = await pages.next()) tasks.push(page.value)
      const { isComplete, ignoredFilters } = page.value
      if (ignoredFilters.length > 0)
        node.warn(runtime._('warning.ignoredFilters', { names: ignoredFilters.join(', ') }))
      const shown = { tone: 'good', key: 'listed', values: { count: tasks.length } } as const
      if (config.deliver !== 'sequence') return { set: { payload: tasks, isComplete, ignoredFilters }, shown }
      const id = runtime.util.generateId()
      const sequence = tasks.map((task, index) => ({
        payload: task,
        taskId: task.taskId,
        status: task.status,
        externalDocId: task.externalDocId,
        parts: { id, index, count: tasks.length, type: 'array', len: 1 },
      }))
      return { set: { isComplete, ignoredFilters }, sequence, shown }
    },
  })
}
