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

export const nameOf = ({ name, type, id }: FlowNode): string => (name ? `${type} “${name}”` : `${type} ${id}`)

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
  return nodes.map((node) => ({ ...node, ...changesOf(node, around, hosts, key) }))
}

function changesOf(node: FlowNode, around: Surroundings, hosts: readonly string[], key: string): object {
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
        journalFolder: join(folder, 'journal', node.id),
        // An unanswered create is looked up again after this time; a sandbox lists what it has at once.
        settle: '2',
        credentials: { apiKey: around.keyOf(organizationOf(node)) },
      }
    case 'countersign-webhook-in':
      return { publicUrl: `${nodeUrl}/${String(node.path ?? '').replace(/^\/+/, '')}` }
    case 'countersign-mllp-in':
      return { host: '127.0.0.1', port: around.portFor(String(node.port)) }
    case 'countersign-mllp-out':
      return { host: '127.0.0.1', port: around.portFor(String(node.port)), tls: '' }
    case 'countersign-order-from-files':
      return { folder: inside(folder, node.folder) }
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
      return rawRequest(node, hosts, baseUrl, nodeUrl, key)
    default:
      return {}
  }
}

/** Relative paths begin in the folder where Node-RED runs, which is already a temporary one. */
const inside = (folder: string, path: unknown): unknown =>
  typeof path === 'string' && /^([/\\]|[A-Za-z]:)/.test(path) ? join(folder, basename(path)) : path

/** A request to a host of the export goes to the sandbox with its key; one to Node-RED itself goes to this Node-RED. */
function rawRequest(
  { url }: FlowNode,
  hosts: readonly string[],
  baseUrl: string,
  nodeUrl: string,
  key: string,
): object {
  if (typeof url !== 'string') return {}
  const host = hosts.find((one) => url.startsWith(`${one}/`))
  if (host !== undefined) {
    const headers = [{ keyType: 'other', keyValue: 'x-api-key', valueType: 'other', valueValue: key }]
    return { url: baseUrl + url.slice(host.length), headers }
  }
  const own = /^http:\/\/(?:127\.0\.0\.1|localhost):\d+(\/.*)$/.exec(url)
  return own ? { url: nodeUrl + own[1] } : {}
}
