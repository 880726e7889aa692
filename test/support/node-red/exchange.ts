/** A flow from create to record, for tests that kill what it runs on. */
import { createTask, download, flow, record, wait } from './flow.ts'
import type { FlowNode } from './node-red.ts'

/**
 * From create to record, as an analyst builds it for hosts that are away at times: what fails in a way that passes goes back to its
 * node. A pause between two nodes makes each hand-over a step of its own.
 */
export function exchange(connection: FlowNode): FlowNode[] {
  const saved = { p: 'savedId', pt: 'msg', t: 'set', to: '"SAVED-" & externalDocId', tot: 'jsonata' }
  return flow(
    connection,
    ...wired(createTask(), 'to wait'),
    pause('to wait', 'wait'),
    ...wired(wait({ redelivery: 'acknowledged', progress: true }), 'to download'),
    pause('to download', 'download'),
    ...wired(download(), 'saved'),
    { id: 'saved', type: 'change', rules: [saved], wires: [['to record']] },
    pause('to record', 'record'),
    ...record(),
    ...['create', 'download', 'record'].flatMap(again),
  )
}

const pause = (id: string, next: string, ms = 150): FlowNode => ({
  id,
  type: 'delay',
  pauseType: 'delay',
  timeout: String(ms),
  timeoutUnits: 'milliseconds',
  wires: [[next]],
})

/** A node of the package with its probes, whose first output leads to one more node. */
function wired([node, ...probes]: FlowNode[], next: string): FlowNode[] {
  const [first, ...rest] = node!.wires as string[][]
  return [{ ...node!, wires: [[...first!, next], ...rest] }, ...probes]
}

/** Gives a node what it failed with, where that may succeed later. Of messages with an error, Node-RED ends those that fail ten times. */
export const again = (id: string): FlowNode[] => [
  { id: `${id} failed`, type: 'catch', scope: [id], wires: [[`${id} may succeed`]] },
  {
    id: `${id} may succeed`,
    type: 'switch',
    property: 'error.cause.retryable',
    propertyType: 'msg',
    rules: [{ t: 'true' }],
    wires: [[`${id} forgiven`]],
  },
  { id: `${id} forgiven`, type: 'change', rules: [{ t: 'delete', p: 'error', pt: 'msg' }], wires: [[`${id} again`]] },
  pause(`${id} again`, id, 500),
]
