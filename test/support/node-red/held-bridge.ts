/** A bridge from HL7 over MLLP to create task that holds what it cannot use, and what a person does to what is held. */
import type { HeldList } from '../../../nodes/shared/sidebar/held-routes.ts'
import { anOrder, mdm } from '../hl7/an-order.ts'
import { orderPdf } from '../service/order.ts'
import { createTask, flow, held, mllpIn, orderFromHl7 } from './flow.ts'
import type { FlowNode, NodeRed } from './node-red.ts'

const MAP = { documentTypes: { CMS485: { documentTypeId: 104 } } }

/** As dragged: what is held goes into the node held, and what that one resends goes back into the order node. */
export function bridge(service: FlowNode, port: number, changes: Record<string, object> = {}): FlowNode[] {
  const wires: Record<string, string[][]> = {
    in: [['order']],
    order: [['create'], [], ['held']],
    held: [['order', 'held.0'], ['held.1']],
  }
  const nodes = [...mllpIn(port), ...orderFromHl7(MAP, 'order'), ...held(), ...createTask({ documentTypeId: '' })]
  return flow(
    service,
    ...nodes.map((node) => ({ ...node, ...(wires[node.id] && { wires: wires[node.id] }), ...changes[node.id] })),
  )
}

/** A message with a code that the map does not have. */
export function unusable(id: string): Buffer {
  const OBX = `OBX|1|ED|PDF^Document||^application^pdf^Base64^${orderPdf().toString('base64')}`
  const TXA = String(mdm.TXA).replace('CMS485', 'UNKNOWN').replace('DOC-000123', id)
  return Buffer.from(anOrder({ MSH: String(mdm.MSH).replace('MSG1', id), TXA, OBX }))
}

export const corrected = (text: string): string => text.replace('UNKNOWN', 'CMS485')

/** A node held, that of the bridge unless another is named, as the sidebar asks it. Its rows are those of all such nodes. */
export function heldAt(red: NodeRed, node = 'held') {
  const url = (path: string) => red.adminUrl(`countersign/held${path}`)
  return {
    async rows() {
      const lists = (await (await fetch(url(''))).json()) as HeldList[]
      return lists.flatMap(({ rows }) => rows)
    },
    async text(heldId: number) {
      return ((await (await fetch(url(`/${node}/${heldId}/text`))).json()) as { text: string }).text
    },
    async post(heldId: number, act: 'edit' | 'resend' | 'discard', body: object = {}) {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(url(`/${node}/${heldId}/${act}`), {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return { status: answer.status, ...((await answer.json()) as Record<string, unknown>) }
    },
  }
}
