/** Posts forged webhooks to a flow, as an attacker would who knows its address. */
import { EVENT_TYPE } from '../../../lib/contract/callback.ts'
import { isFinal } from '../../../lib/contract/task/task.ts'
import { webhookHeaders } from '../../../lib/profile/names.ts'
import { defaultProfile } from '../../../lib/profile/parse-profile.ts'
import type { RehearsalNodeRed } from './node-red.ts'
import { enabledNodes, type FlowNode, urlOfNode } from './rehearsed-flow.ts'
import type { Evidence } from './verdict.ts'
import type { World } from './world.ts'

interface Forging {
  flow: readonly FlowNode[]
  nodeUrl: string
  world: World
  red: RehearsalNodeRed
  quiet: () => Promise<void>
}

/** Nodes that only a verified webhook may reach. */
const ACTS = new Set(['countersign-record', 'countersign-download', 'countersign-retract', 'countersign-done'])

const names = webhookHeaders(defaultProfile)
/** Returns no signature, and one that no secret made. */
const signatures = (at: Date): readonly Record<string, string>[] => [
  {},
  { [names.signature]: `sha256=${'0'.repeat(64)}`, [names.timestamp]: String(Math.floor(at.getTime() / 1000)) },
]

const ANSWER_MS = 5000

/** Reports the end of an open task to each input for HTTP. The input acted if the message reached a node that acts on tasks. */
export async function forge({ flow, nodeUrl, world, red, quiet }: Forging): Promise<Evidence['forgeries']> {
  const actors = new Set(flow.filter(({ type }) => ACTS.has(type)).map(({ id }) => id))
  const open = (await world.tasks()).find(({ status }) => !isFinal(status))
  if (!open) return []
  const forgeries: { node: string; acted: boolean }[] = []
  for (const { id, type, path, url } of enabledNodes(flow).filter(isPosted)) {
    const before = red.witnessed.hops.length
    for (const [index, signature] of signatures(new Date()).entries()) {
      const event = { eventId: `forged-${open.taskId}-${index}`, eventType: EVENT_TYPE, taskId: open.taskId }
      const state = {
        status: 'Completed',
        documentId: null,
        statusReason: null,
        occurredAtUtc: new Date().toISOString(),
      }
      const answer = await fetch(urlOfNode(nodeUrl, type === 'http in' ? url : path), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signature },
        body: JSON.stringify({ ...event, ...state }),
        signal: AbortSignal.timeout(ANSWER_MS),
      }).catch(() => undefined)
      if (answer?.ok && type === 'countersign-webhook-in') forgeries.push({ node: id, acted: true })
    }
    await quiet()
    const made = red.witnessed.hops.slice(before)
    const messages = new Set(made.filter(({ from }) => from === id).map(({ message }) => message))
    forgeries.push({ node: id, acted: made.some(({ to, message }) => actors.has(to) && messages.has(message)) })
  }
  return forgeries
}

const isPosted = ({ type, method }: FlowNode) =>
  type === 'countersign-webhook-in' || (type === 'http in' && method === 'post')
