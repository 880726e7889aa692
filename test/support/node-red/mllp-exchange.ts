/** A flow from mllp in to record, by way of HL7, for tests that trouble what stands at its ends. */
import { again } from './exchange.ts'
import {
  createTask,
  download,
  flow,
  mllpIn,
  mllpOut,
  orderFromHl7,
  record,
  resultToHl7,
  wait,
  webhookIn,
} from './flow.ts'
import type { FlowNode } from './node-red.ts'

export interface MllpExchange {
  connection: FlowNode
  /** Where orders come in, and where results go. */
  ports: { in: number; out: number }
  /** Where the service tells what has become of a task. */
  publicUrl: string
  /** The map of the node that reads orders. */
  map: object
}

/** What fails in a way that passes goes back to its node. Only failures, and what is held or refused, come to the probe `caught`. */
export function mllpExchange({ connection, ports, publicUrl, map }: MllpExchange): FlowNode[] {
  return flow(
    connection,
    to([['order-from-hl7']], mllpIn(ports.in)),
    to([['create'], ['caught'], ['caught']], orderFromHl7(map)),
    to([['wait']], createTask({ source: 'body' })),
    to([['download'], ['caught'], ['caught'], ['caught']], wait({ redelivery: 'acknowledged' })),
    to([['result-to-hl7']], download()),
    to([['out']], resultToHl7()),
    to([['record'], ['caught']], mllpOut(ports.out, { timeout: '1', tries: '20' })),
    to([], record()),
    to([], webhookIn({ publicUrl })),
    ...['create', 'download', 'record'].flatMap(again),
  )
}

/** A node of the package that leads to others, without its probes: they would report every document. */
const to = (wires: string[][], [node]: FlowNode[]): FlowNode => ({ ...node!, wires })
