/** Feeds a flow: presses its buttons, and sends samples or given messages to its ports, addresses and folders. */
import { copyFile, mkdir, readFile, rename } from 'node:fs/promises'
import { basename, extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMllpSender } from '../../../lib/hl7/mllp/send.ts'
import { fileAt, isBuilt } from '../../../lib/places.ts'
import type { RehearsalNodeRed } from './node-red.ts'
import { enabledNodes, type FlowNode, urlOfNode } from './rehearsed-flow.ts'

/** Something that a flow begins with, and which can be given to it again as its sender would. */
export interface Feed {
  /** The node that it enters. */
  node: string
  /** Gives it to the flow. Resolves once it is sent; `isAccepted` says whether its sender may forget it. */
  give(): Promise<{ isAccepted: boolean }>
}

export interface Ports {
  red: RehearsalNodeRed
  nodeUrl: string
  folder: string
  /** Files of the caller in place of the samples. */
  messages: readonly string[]
  signal: AbortSignal
}

const samples = fileURLToPath(fileAt(isBuilt ? '../samples/' : 'samples/'))
const SAMPLE = {
  hl7: [join(samples, 'hl7/plan-of-care.hl7')],
  fhir: [join(samples, 'fhir/document-reference.json')],
  pdf: [join(samples, 'files/plan-of-care.pdf')],
  files: [join(samples, 'files/plan-of-care.pdf'), join(samples, 'files/plan-of-care.json')],
}

const HL7_ENDINGS = ['.hl7', '.txt']

/** Returns what the flow is fed with, in the order in which a person would: from top to bottom. */
export function feedsOf(flow: readonly FlowNode[], ports: Ports): Feed[] {
  const order = new Map(flow.filter(({ type }) => type === 'tab').map(({ id }, index) => [id, index]))
  const place = ({ z: tab, y }: FlowNode) => (order.get(String(tab)) ?? 0) * 1_000_000 + Number(y ?? 0)
  return enabledNodes(flow)
    .toSorted((one, other) => place(one) - place(other))
    .flatMap((node) => feedsInto(node, flow, ports))
}

function feedsInto(node: FlowNode, flow: readonly FlowNode[], ports: Ports): Feed[] {
  const { id, type } = node
  if (type === 'inject') return [button(id, ports)]
  if (type === 'countersign-mllp-in') return given(ports, HL7_ENDINGS, SAMPLE.hl7).map((file) => overMllp(node, file))
  if (type === 'countersign-order-from-files') return [dropped(node, ports)]
  if (type === 'http in' && ['post', 'put'].includes(String(node.method)))
    return bodiesFor(node, flow, ports).map((file) => overHttp(node, flow, file, ports))
  return []
}

const given = ({ messages }: Ports, endings: readonly string[], otherwise: readonly string[]): readonly string[] => {
  const fitting = messages.filter((file) => endings.includes(extname(file).toLowerCase()))
  return messages.length > 0 ? fitting : otherwise
}

/** A message of the same press has the same id, as a message that a sender sends again has. */
const button = (node: string, { red }: Ports): Feed => ({
  node,
  async give() {
    await red.press(node, node)
    return { isAccepted: false }
  },
})

function overMllp({ id, port }: FlowNode, file: string): Feed {
  return {
    node: id,
    async give() {
      const sender = createMllpSender({ host: '127.0.0.1', port: Number(port), answerTimeoutMs: 20_000 })
      const message = (await readFile(file)).toString('latin1').replace(/\r?\n/g, '\r')
      try {
        const answer = await sender.send(Buffer.from(message, 'latin1'), () => true)
        return { isAccepted: /\rMSA\|[AC]A/.test(Buffer.from(answer).toString('latin1')) }
      } catch {
        return { isAccepted: false }
      } finally {
        sender.close()
      }
    },
  }
}

/** The files of one document are moved in at once, so that none is read while it is copied. */
function dropped({ id, folder }: FlowNode, ports: Ports): Feed {
  const own = ports.messages.filter((file) => !HL7_ENDINGS.includes(extname(file).toLowerCase()))
  return {
    node: id,
    async give() {
      const into = resolve(ports.folder, String(folder))
      const staging = join(ports.folder, 'staging')
      await mkdir(into, { recursive: true })
      await mkdir(staging, { recursive: true })
      for (const file of own.length > 0 ? own : SAMPLE.files) {
        await copyFile(file, join(staging, basename(file)))
        await rename(join(staging, basename(file)), join(into, basename(file)))
      }
      return { isAccepted: true }
    },
  }
}

/** Nodes that an address leads to say which form they read. */
function bodiesFor(node: FlowNode, flow: readonly FlowNode[], ports: Ports): readonly string[] {
  const types = new Set(behind(node.id, flow).map(({ type }) => type))
  const hl7 = types.has('countersign-order-from-hl7') ? SAMPLE.hl7 : []
  const fhir = types.has('countersign-order-from-fhir') ? SAMPLE.fhir : []
  if (hl7.length + fhir.length > 0) return given(ports, [...HL7_ENDINGS, '.json'], [...hl7, ...fhir])
  return types.has('countersign-create-task') ? given(ports, ['.pdf', '.json'], SAMPLE.pdf) : []
}

/** Returns the nodes that messages of this one can reach over wires and links. */
export function behind(id: string, flow: readonly FlowNode[]): FlowNode[] {
  const byId = new Map(flow.map((node) => [node.id, node]))
  const reached = new Map<string, FlowNode>()
  const open = [id]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const node = byId.get(next)
    const links = node?.type === 'link out' && Array.isArray(node.links) ? (node.links as string[]) : []
    for (const to of [...(node?.wires ?? []).flat(), ...links]) {
      const target = byId.get(to)
      if (!target || reached.has(to)) continue
      reached.set(to, target)
      open.push(to)
    }
  }
  return [...reached.values()]
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.json': 'application/fhir+json',
  '.pdf': 'application/octet-stream',
}

/** The flow may answer only after the signature, so its answer is not waited for. */
function overHttp(node: FlowNode, flow: readonly FlowNode[], file: string, ports: Ports): Feed {
  const asked = new Set([...JSON.stringify(flow).matchAll(/req\.query\.(\w+)/g)].map(([, name]) => name ?? ''))
  const query = new URLSearchParams(Object.fromEntries([...asked].map((name) => [name, `REHEARSAL-${name}`])))
  const url = `${urlOfNode(ports.nodeUrl, node.url)}${asked.size > 0 ? `?${query}` : ''}`
  return {
    node: node.id,
    async give() {
      const type = CONTENT_TYPES[extname(file).toLowerCase()] ?? 'text/plain'
      const sent = fetch(url, {
        method: String(node.method).toUpperCase(),
        headers: { 'content-type': type },
        body: await readFile(file),
        signal: ports.signal,
      })
      const seen = { isAccepted: false }
      void sent
        .then(({ ok }) => {
          seen.isAccepted = ok
        })
        .catch(() => {})
      return seen
    },
  }
}
