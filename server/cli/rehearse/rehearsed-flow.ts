/** Turns an export of Node-RED into the flow of a rehearsal: the same nodes, at a sandbox, with free ports and temporary folders. */
import { basename, join } from 'node:path'
import * as z from 'zod'

const Node = z.looseObject({
  id: z.string(),
  type: z.string(),
  name: z.string().optional(),
  wires: z.array(z.array(z.string())).optional(),
})
export type FlowNode = z.infer<typeof Node>
export const Export = z.array(Node).min(1)

export interface Surroundings {
  /** The sandbox. */
  baseUrl: string
  keyOf: (organization: string) => string
  /** Where Node-RED answers. */
  nodeUrl: string
  folder: string
  /** Returns a free port for one that the export names. */
  portFor: (port: string) => string
}

export const DEMO_ORGANIZATION = 'Willow Creek Home Health'

/** Returns how people find a node: by its name, or by its type and the label of its tab. */
export function namesIn(nodes: readonly FlowNode[]): (id: string) => string {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return (id) => {
    const node = byId.get(id)
    if (!node) return 'a node'
    if (node.name) return `${node.type} “${node.name}”`
    const label = byId.get(String(node.z))?.label
    return label ? `${node.type} of “${label}”` : node.type
  }
}

/** Returns the nodes that Node-RED would start: those that are not disabled, on tabs that are not. */
export function enabledNodes(nodes: readonly FlowNode[]): FlowNode[] {
  const disabled = new Set(nodes.filter(({ disabled, d }) => disabled === true || d === true).map(({ id }) => id))
  return nodes.filter(({ id, z }) => !disabled.has(id) && !disabled.has(String(z)))
}

const NO_NODES = new Set(['tab', 'group', 'subflow', 'comment', 'junction', 'global-config', 'env-vars'])
export const typesIn = (nodes: readonly FlowNode[]): string[] => [
  ...new Set(nodes.map(({ type }) => type).filter((type) => !NO_NODES.has(type) && !type.startsWith('subflow:'))),
]

/** Nodes of Node-RED that reach nothing outside of it, or only what a rehearsal redirects. */
const SAFE = new Set([
  ...['inject', 'debug', 'complete', 'catch', 'status', 'link in', 'link out', 'link call'],
  ...['function', 'switch', 'change', 'range', 'template', 'delay', 'trigger', 'rbe', 'split', 'join', 'sort', 'batch'],
  ...['csv', 'html', 'json', 'xml', 'yaml', 'file', 'file in'],
  ...['http in', 'http response', 'http request', 'http proxy', 'tls-config'],
])

/** Returns the types that may reach other systems, so that a rehearsal starts none of them. */
export const unsafeTypes = (nodes: readonly FlowNode[], allowed: readonly string[]): string[] =>
  typesIn(nodes).filter((type) => !SAFE.has(type) && !type.startsWith('countersign-') && !allowed.includes(type))

/** Returns the organization in whose name a service node acts in the sandbox. */
export const organizationOf = (node: FlowNode): string =>
  node.mode === 'embedded' && typeof node.organization === 'string' && node.organization !== ''
    ? node.organization
    : DEMO_ORGANIZATION

/** Returns the addresses under which the export reaches its hosts, and which now mean the sandbox. */
function hostsIn(nodes: readonly FlowNode[]): string[] {
  const services = nodes.filter(({ type }) => type === 'countersign-service')
  return services.flatMap(({ mode, baseUrl, port }) => {
    if (mode === 'embedded') return ['127.0.0.1', 'localhost'].map((host) => `http://${host}:${port}`)
    return typeof baseUrl === 'string' && URL.canParse(baseUrl) ? [baseUrl.replace(/\/+$/, '')] : []
  })
}

export function rehearsedFlow(nodes: readonly FlowNode[], around: Surroundings): FlowNode[] {
  const hosts = hostsIn(nodes)
  const first = nodes.find(({ type }) => type === 'countersign-service')
  const key = around.keyOf(first ? organizationOf(first) : DEMO_ORGANIZATION)
  const isOwn = (path: string) =>
    nodes.some(({ type, url }) => type === 'http in' && urlOfNode('', url) === path.replace(/\?.*$/, ''))
  return nodes.map((node) => ({ ...node, ...changesOf(node, around, { hosts, isOwn, key }) }))
}

interface Addresses {
  /** Those that now mean the sandbox. */
  hosts: readonly string[]
  /** Whether a node of the flow answers at this path. */
  isOwn: (path: string) => boolean
  /** The key for raw requests. */
  key: string
}

function changesOf(node: FlowNode, around: Surroundings, addresses: Addresses): object {
  const { baseUrl, folder, nodeUrl } = around
  switch (node.type) {
    case 'countersign-service':
      return {
        mode: 'host',
        baseUrl,
        tls: '',
        proxy: '',
        profile: '',
        journal: 'folder',
        // All services of a flow must have the same one.
        journalFolder: join(folder, 'journal'),
        // An unanswered create is looked up again after this time; a sandbox lists what it has at once.
        settle: '2',
        credentials: { apiKey: around.keyOf(organizationOf(node)) },
      }
    case 'countersign-wait':
    case 'countersign-accept':
      return sooner(node)
    case 'countersign-webhook-in':
      return { publicUrl: urlOfNode(nodeUrl, node.path) }
    case 'countersign-mllp-in':
      return { host: '127.0.0.1', port: around.portFor(String(node.port)), tls: '', senders: '', ...sooner(node) }
    case 'countersign-mllp-out':
      return { host: '127.0.0.1', port: around.portFor(String(node.port)), tls: '' }
    case 'countersign-order-from-files':
      return { folder: inside(folder, node.folder), make: true, stable: '0.2', poll: '0.2', ...sooner(node) }
    case 'countersign-download':
      return { folder: inside(folder, node.folder) }
    case 'file':
    case 'file in':
      return node.filenameType === 'str' || node.filenameType === undefined
        ? { filename: inside(folder, node.filename) }
        : {}
    case 'inject':
      return { once: false, repeat: '', crontab: '' }
    case 'http request':
      return { proxy: '', ...rawRequest(node, around, addresses) }
    default:
      return {}
  }
}

/** A message that is not acknowledged comes again after minutes; a rehearsal does not wait so long. */
const sooner = ({ repeat }: FlowNode): object => (Number(repeat) > 0 ? { repeat: '0.1' } : {})

/** Returns the address of a node that answers HTTP. */
export const urlOfNode = (nodeUrl: string, path: unknown): string =>
  `${nodeUrl}/${String(path ?? '').replace(/^\/+/, '')}`

/** Relative paths begin in the folder where Node-RED runs, which is already a temporary one. */
const inside = (folder: string, path: unknown): unknown =>
  typeof path === 'string' && /^([/\\~]|[A-Za-z]:)|(^|[/\\])\.\.([/\\]|$)/.test(path)
    ? join(folder, basename(path))
    : path

/** A request to a host of the export goes to the sandbox with its key; one to a node of the flow goes to this Node-RED. */
function rawRequest({ url }: FlowNode, { baseUrl, nodeUrl }: Surroundings, { hosts, isOwn, key }: Addresses): object {
  if (typeof url !== 'string') return {}
  const host = hosts.find((one) => url.startsWith(`${one}/`))
  if (host !== undefined) {
    const headers = [{ keyType: 'other', keyValue: 'x-api-key', valueType: 'other', valueValue: key }]
    return { url: baseUrl + url.slice(host.length), headers }
  }
  const path = /^https?:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?(\/.*)$/.exec(url)?.[1]
  return path !== undefined && isOwn(path) ? { url: nodeUrl + path } : {}
}
