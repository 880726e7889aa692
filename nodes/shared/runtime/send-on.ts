/**
 * Sends messages through an output, and reports an exceptional one that leads nowhere: without a wire, Node-RED drops the message and
 * nothing else says that an order was rejected, timed out or held.
 */
import { FlowError, NodeError } from './failures.ts'
import type { Message, Runtime, RuntimeNode, Send } from './node-red.ts'
import { type Shown, shownFailure } from './status.ts'

/** The outputs that a message leaves by when something needs attention, by type of node, counted from 0. */
export const EXCEPTIONAL_OUTPUTS: Readonly<Record<string, readonly number[]>> = {
  'countersign-wait': [1, 2, 3],
  'countersign-reconcile': [1, 2],
  'countersign-look-up': [1],
  'countersign-check-signed': [1, 2],
  'countersign-mllp-out': [1],
  'countersign-retract': [1],
  'countersign-order-from-hl7': [1, 2],
  'countersign-order-from-fhir': [1, 2],
  'countersign-order-from-files': [1, 2],
}

export interface Sending {
  runtime: Runtime
  node: RuntimeNode
  send: Send
}

/**
 * Sends through one output, counted from 0. An exceptional message whose output leads to no node is reported as an error of the node,
 * with the code NOT_WIRED, so that Catch nodes, the debug sidebar and the log have it.
 * @returns what to show: `shown`, or that the message was lost
 */
export function sendOn(
  { runtime, node, send }: Sending,
  output: number,
  sent: Message | Message[],
  shown: Shown,
): Shown {
  send([...Array<null>(output).fill(null), sent])
  if (!EXCEPTIONAL_OUTPUTS[node.type]?.includes(output) || leadsSomewhere(runtime, node, output)) return shown
  const failure = notWired(output)
  for (const message of [sent].flat()) node.error(new FlowError(failure), message)
  return { ...shownFailure(failure.code), taskId: shown.taskId }
}

/** A wire to a disabled node leads nowhere: Node-RED drops what is sent to it. */
const leadsSomewhere = (runtime: Runtime, { wires }: RuntimeNode, output: number): boolean =>
  (wires[output] ?? []).some((id) => runtime.nodes.getNode(id))

const notWired = (output: number) =>
  new NodeError(
    'NOT_WIRED',
    `The message left by output ${output + 1}, which is not wired to an enabled node, so no flow handles it. Wire the output.`,
  )
