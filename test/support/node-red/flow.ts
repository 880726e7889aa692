/** Flows for the tests: each node as the editor would save it, with the defaults of its form. */
import type { FlowNode } from './node-red.ts'

export const TAB = 'tab'

const SETTINGS = {
  settle: '120',
  organization: 'Willow Creek Home Health',
  cacheMinutes: '10',
  patience: '10',
  journal: 'folder',
  journalLease: '20',
  data: '',
  profile: '',
  name: '',
  version: 1,
}

/** The embedded service on a free port. */
export const embedded = (more: Record<string, unknown> = {}): FlowNode => ({
  id: 'service',
  type: 'countersign-service',
  mode: 'embedded',
  port: '0',
  seed: true,
  timeout: '30',
  concurrency: '5',
  ...SETTINGS,
  ...more,
})

/** A host at an address, for tests that let one fail. */
export const host = (baseUrl: string, more: Record<string, unknown> = {}): FlowNode => ({
  id: 'service',
  type: 'countersign-service',
  mode: 'host',
  baseUrl,
  timeout: '2',
  concurrency: '5',
  ...SETTINGS,
  credentials: { apiKey: 'a-key-of-a-test' },
  ...more,
})

/** A FHIR server, as the configuration node `fhir` has it. */
export const fhirBase = (baseUrl: string, more: Record<string, unknown> = {}): FlowNode => ({
  id: 'fhir',
  type: 'countersign-fhir-base',
  version: 1,
  baseUrl,
  authorization: 'none',
  scope: 'system/*.read',
  timeout: '5',
  ...more,
})

const ON_TAB = { z: TAB, x: 100, y: 100 }

/** A tab with these nodes; every operation node uses the node `service`, and each has a probe and a catch for itself. */
export const flow = (...nodes: FlowNode[]): FlowNode[] => [
  { id: TAB, type: 'tab', label: 'Test' },
  ...nodes.map((node) => (node.type === 'countersign-service' ? node : { ...ON_TAB, wires: [], ...node })),
  { id: 'caught', type: 'probe', ...ON_TAB, wires: [] },
  { id: 'catch', type: 'catch', ...ON_TAB, scope: null, wires: [['caught']] },
  { id: 'completed', type: 'probe', ...ON_TAB, wires: [] },
  {
    id: 'complete',
    type: 'complete',
    ...ON_TAB,
    scope: nodes.filter(({ type }) => OPERATION.test(type)).map(({ id }) => id),
    wires: [['completed']],
  },
]
const OPERATION = /^countersign-(?!service|webhook|mllp-in)/

export const probe = (id: string): FlowNode => ({ id, type: 'probe' })

/** An operation node wired to a probe for each output: `<id>.0`, `<id>.1`, … */
export function operation(id: string, type: string, properties: Record<string, unknown> = {}, outputs = 1): FlowNode[] {
  const probes = Array.from({ length: outputs }, (_, index) => `${id}.${index}`)
  const wires = probes.map((name) => [name])
  return [
    { id, type: `countersign-${type}`, service: 'service', version: 1, ...properties, wires },
    ...probes.map(probe),
  ]
}

const msg = (value: string) => ({ type: 'msg', value })
const inputs = (paths: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(paths).flatMap(([name, path]) => [
      [name, path],
      [`${name}Type`, 'msg'],
    ]),
  )

/** As dragged from the palette. */
export const createTask = (more: Record<string, unknown> = {}) =>
  operation('create', 'create-task', {
    source: 'fields',
    ...inputs({
      body: 'payload',
      externalId: 'patient.externalId',
      sex: 'patient.sex',
      birthDate: 'patient.birthDate',
    }),
    ...inputs({ userNPI: 'userNPI', orgNPI: '', orgName: '', attachment: 'payload', externalDocId: 'externalDocId' }),
    ...inputs({ effectiveDate: 'effectiveDate', diagnosisCode: '', annotations: 'annotations' }),
    documentTypeId: '104',
    documentTypeIdType: 'str',
    templateId: '',
    templateIdType: 'str',
    names: [
      {
        use: { type: 'str', value: 'official' },
        family: msg('patient.names[0].family'),
        given: msg('patient.names[0].given'),
      },
    ],
    addresses: [
      {
        line: msg('patient.addresses[0].line'),
        city: msg('patient.addresses[0].city'),
        state: msg('patient.addresses[0].state'),
        postalCode: msg('patient.addresses[0].postalCode'),
      },
    ],
    orgAddresses: [],
    annotationSource: 'value',
    jsonAnnotations: [],
    textAnnotations: [],
    version: 1,
    identifiers: [],
    telecoms: [],
    attachmentForm: 'data',
    placement: 'SmartAnnotations',
    keepAttachment: false,
    keep: true,
    keepLimit: '100',
    ...more,
  })

export const wait = (more: Record<string, unknown> = {}, id = 'wait') =>
  operation(
    id,
    'wait',
    {
      taskId: 'taskId',
      taskIdType: 'msg',
      timeout: '14',
      timeoutUnit: 'days',
      carry: 'all',
      carried: '',
      carryLimit: '100',
      redelivery: 'once',
      repeat: '10',
      progress: false,
      version: 1,
      ...more,
    },
    5,
  )
export const download = (more: Record<string, unknown> = {}) =>
  operation('download', 'download', {
    taskId: 'taskId',
    taskIdType: 'msg',
    deliver: 'buffer',
    mode: '0600',
    filename: '{taskId}.pdf',
    mrn: 'mrn',
    mrnType: 'msg',
    family: 'family',
    familyType: 'msg',
    acknowledge: false,
    version: 1,
    ...more,
  })
export const retract = (more: Record<string, unknown> = {}) =>
  operation(
    'retract',
    'retract',
    { taskId: 'taskId', taskIdType: 'msg', reason: 'reason', reasonType: 'msg', ...more },
    2,
  )
export const record = (more: Record<string, unknown> = {}) =>
  operation('record', 'record', {
    taskId: 'taskId',
    taskIdType: 'msg',
    externalSavedDocumentId: 'savedId',
    externalSavedDocumentIdType: 'msg',
    archive: false,
    file: false,
    ...more,
  })
export const done = () => operation('done', 'done', { taskId: 'taskId', taskIdType: 'msg' })
/** It looks when it is told to, and at once, unless a test has it look by itself. */
export const reconcile = (more: Record<string, unknown> = {}) =>
  operation('reconcile', 'reconcile', { interval: '0', quiet: '0', repeat: '60', lookBack: '90', ...more }, 3)
/** It looks when a message comes, unless a test has it look by itself. */
export const overdue = (more: Record<string, unknown> = {}, id = 'overdue') =>
  operation(id, 'overdue', {
    afterDays: '3, 7, 14, 21, 30',
    windowDays: '',
    beforeDays: '',
    interval: '0',
    redelivery: 'once',
    repeat: '60',
    ...inputs({ taskId: 'taskId', userNPI: 'userNPI', effectiveDate: 'effectiveDate' }),
    ...more,
  })
export const webhookIn = (more: Record<string, unknown> = {}) =>
  operation('webhook', 'webhook-in', {
    path: 'countersign/events',
    publicUrl: '',
    statuses: [],
    tolerance: '300',
    subscribe: true,
    secretEncoding: 'base64',
    readsTask: true,
    version: 1,
    ...more,
  })
export const read = () => operation('read', 'read', { taskId: 'taskId', taskIdType: 'msg' })
export const checkSigned = (more: Record<string, unknown> = {}) => operation('check-signed', 'check-signed', more, 3)
export const list = (more: Record<string, unknown> = {}) =>
  operation('list', 'list', {
    taskStatus: '',
    taskStatusType: 'str',
    isArchived: '',
    isArchivedType: 'str',
    isFiled: '',
    isFiledType: 'str',
    externalDocId: 'externalDocId',
    externalDocIdType: 'msg',
    deliver: 'array',
    paging: true,
    externalSavedDocumentIds: 'savedId',
    externalSavedDocumentIdsType: 'msg',
    ...more,
  })
export const lookUp = (more: Record<string, unknown> = {}) =>
  operation('look-up', 'look-up', { what: 'provider', npi: 'userNPI', npiType: 'msg', ...more }, 2)
export const signer = (more: Record<string, unknown> = {}) =>
  operation('signer', 'signer', {
    act: 'sign',
    taskId: 'taskId',
    taskIdType: 'msg',
    reason: 'reason',
    reasonType: 'msg',
    ...more,
  })
/** It calls nobody, so it has no service. */
export const preview = (more: Record<string, unknown> = {}) =>
  operation('preview', 'preview', {
    attachment: 'payload',
    attachmentType: 'msg',
    attachmentForm: 'data',
    placement: 'SmartAnnotations',
    annotations: 'annotations',
    annotationsType: 'msg',
    annotationSource: 'rows',
    jsonAnnotations: [],
    textAnnotations: [],
    drawn: false,
    version: 1,
    ...more,
  })
export const mllpIn = (port: number, more: Record<string, unknown> = {}) => {
  const kept = { limit: '32', keepLimit: '500', repeat: '10' }
  return operation('in', 'mllp-in', {
    port: String(port),
    host: '127.0.0.1',
    senders: '',
    processingIds: 'P',
    ...kept,
    ...more,
  })
}
export const mllpOut = (port: number, more: Record<string, unknown> = {}) => {
  const kept = { timeout: '30', tries: '10', keepLimit: '500' }
  return operation('out', 'mllp-out', { port: String(port), host: '127.0.0.1', ...kept, ...more }, 2)
}

export const orderFromFhir = (map: object, more: Record<string, unknown> = {}, id = 'order-from-fhir') =>
  operation(id, 'order-from-fhir', { map: JSON.stringify(map), mapType: 'json', fhir: 'fhir', ...more }, 3)

export const resultToFhir = (more: Record<string, unknown> = {}, id = 'result-to-fhir') =>
  operation(id, 'result-to-fhir', {
    deliver: 'write',
    fhir: 'fhir',
    content: 'inline',
    profile: 'plain',
    provenance: false,
    dayWithTime: false,
    ...more,
  })

export const accept = (more: Record<string, unknown> = {}) =>
  operation('accept', 'accept', { keepLimit: '500', repeat: '10', ...more }, 2)

export const orderFromHl7 = (map: object, id = 'order-from-hl7') =>
  operation(id, 'order-from-hl7', { map: JSON.stringify(map), mapType: 'json' }, 3)

/** Looks often, and takes up at once what is there. */
export const orderFromFiles = (folder: string, map: object, more: Record<string, unknown> = {}) =>
  operation(
    'order-from-files',
    'order-from-files',
    {
      folder,
      make: false,
      map: JSON.stringify(map),
      mapType: 'json',
      poll: '0.1',
      stable: '0',
      pairing: '10',
      repeat: '10',
      limit: '32',
      ...more,
    },
    3,
  )

export const held = (more: Record<string, unknown> = {}, id = 'held') =>
  operation(id, 'held', { maxMessages: '1000', keepLimit: '500', maxDays: '7', ...more }, 2)

export const resultToHl7 = (more: Record<string, unknown> = {}, id = 'result-to-hl7') =>
  operation(id, 'result-to-hl7', { event: 'T02', completion: 'LA', ...more })
