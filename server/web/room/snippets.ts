/** An order as a program of one's own would send it. The key is a placeholder: no page of the control room knows one. */
import { t } from '../words/words.ts'

const PATH = '/api/v1/signature/tasks'
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

export const asCurl = (body: object): string =>
  [
    `curl ${quoted(location.origin + PATH)} \\`,
    `  --header "x-api-key: $KEY" --header 'content-type: application/json' \\`,
    `  --data ${quoted(JSON.stringify(body))}`,
  ].join('\n')

export const asJavaScript = (body: object): string =>
  `import { createClient } from '@countersign/node-red-document-signature'

const client = createClient({ baseUrl: ${JSON.stringify(location.origin)}, apiKey: process.env.KEY ?? '' })
const body = ${JSON.stringify(body, null, 2)}
console.log(await client.createTask({ body }))
`

/** Returns a flow to import: a service node without its key, a button, a create node, and what it sends in the sidebar. */
export function asFlow(body: object): string {
  const [service, flow] = ['c0a2000000000001', 'c0a2000000000002']
  const node = (id: number, type: string, wires: readonly number[], more: object) => ({
    id: idOf(id),
    type,
    z: flow,
    x: 160 + 220 * id,
    y: 120,
    wires: [wires.map(idOf)],
    ...more,
  })
  return JSON.stringify(
    [
      { id: flow, type: 'tab', label: t('flow.label'), disabled: false, info: '' },
      { id: service, type: 'countersign-service', ...SERVICE, baseUrl: location.origin },
      node(0, 'inject', [1], {
        name: t('flow.send'),
        props: [{ p: 'payload' }],
        payload: JSON.stringify(body),
        payloadType: 'json',
        repeat: '',
        once: false,
      }),
      node(1, 'countersign-create-task', [2], { name: '', service, ...BODY_IN_PAYLOAD }),
      node(2, 'debug', [], { name: 'created', active: true, tosidebar: true, complete: 'true', targetType: 'full' }),
    ],
    null,
    2,
  )
}

const idOf = (id: number) => `c0a200000000001${id}`
/** As the forms of the nodes write them when nothing was changed. */
const SERVICE = {
  name: '',
  version: 1,
  mode: 'host',
  tls: '',
  proxy: '',
  port: '8090',
  data: '',
  organization: '',
  seed: true,
  timeout: '30',
  settle: '120',
  concurrency: '5',
  cacheMinutes: '10',
}
/** The create node sends the whole body that is in msg.payload. */
const BODY_IN_PAYLOAD = {
  version: 3,
  source: 'body',
  body: 'payload',
  bodyType: 'msg',
  names: [],
  addresses: [],
  identifiers: [],
  telecoms: [],
  orgAddresses: [],
  jsonAnnotations: [],
  textAnnotations: [],
  placement: 'SmartAnnotations',
  annotationSource: 'rows',
  keepAttachment: false,
  keep: true,
  keepLimit: '100',
}
