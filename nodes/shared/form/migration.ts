/**
 * Brings the configuration of a node, as an earlier version stored it, to the current version. Pure: the stored flow stays as it
 * is until someone edits the node. A node of a later version than this package is left alone.
 */
import type { Config } from '../runtime/node-red.ts'

/** Takes a configuration of one version to the next. */
type Step = (config: Config) => Config

/** Stored values win; the others get what the form would have stored. */
const absent =
  (defaults: Record<string, unknown>): Step =>
  (config) => ({ ...defaults, ...config })

/**
 * One list per type; the step at index n takes version n to n + 1, so the length is the current version. Version 0 is a flow
 * without a version: written by hand or by another program, it may lack any property that has a default. Inputs get no default,
 * because leaving one out has a meaning.
 */
const STEPS: Record<string, readonly Step[]> = {
  'countersign-service': [
    absent({
      mode: 'host',
      port: '8090',
      organization: 'Willow Creek Home Health',
      seed: true,
      timeout: '30',
      settle: '120',
      concurrency: '5',
      patience: '10',
      cacheMinutes: '10',
    }),
  ],
  'countersign-create-task': [
    absent({
      source: 'fields',
      attachmentForm: 'data',
      placement: 'SmartAnnotations',
      keepAttachment: false,
      documentTypeIdType: 'str',
      templateIdType: 'str',
      annotationSource: 'value',
      jsonAnnotations: [],
      textAnnotations: [],
      orgAddresses: [],
      keep: true,
      keepLimit: '100',
    }),
  ],
  'countersign-order-from-hl7': [absent({ map: '{}', mapType: 'json' })],
  'countersign-result-to-hl7': [absent({ event: 'T02', completion: 'LA' })],
  'countersign-order-from-fhir': [absent({ map: '{}', mapType: 'json' })],
  'countersign-result-to-fhir': [
    absent({ deliver: 'write', content: 'inline', profile: 'plain', provenance: false, dayWithTime: false }),
  ],
  'countersign-fhir-base': [absent({ authorization: 'none', scope: 'system/*.read', timeout: '30' })],
  'countersign-wait': [
    // A flow that acknowledges nothing would get each outcome again and again, so each comes once.
    absent({
      timeout: '14',
      timeoutUnit: 'days',
      progress: false,
      carry: 'all',
      carried: '',
      carryLimit: '100',
      redelivery: 'once',
      repeat: '10',
    }),
  ],
  'countersign-download': [
    absent({
      deliver: 'buffer',
      filename: '{taskId}.pdf',
      mrn: 'mrn',
      mrnType: 'msg',
      family: 'family',
      familyType: 'msg',
      acknowledge: false,
    }),
  ],
  'countersign-retract': [absent({ reasonType: 'str' })],
  'countersign-done': [absent({})],
  'countersign-record': [absent({ archive: false, file: false })],
  'countersign-read': [absent({})],
  'countersign-check-signed': [absent({})],
  'countersign-list': [
    absent({ taskStatusType: 'str', isArchivedType: 'str', isFiledType: 'str', deliver: 'array', paging: true }),
  ],
  'countersign-look-up': [absent({ what: 'provider' })],
  'countersign-reconcile': [absent({ interval: '10', quiet: '15', repeat: '60', lookBack: '90' })],
  'countersign-overdue': [
    absent({
      afterDays: '3, 7, 14, 21, 30',
      windowDays: '',
      beforeDays: '',
      interval: '60',
      redelivery: 'once',
      repeat: '60',
    }),
  ],
  'countersign-webhook-in': [
    absent({
      path: 'countersign/events',
      tolerance: '300',
      subscribe: true,
      secretEncoding: 'base64',
      readsTask: true,
    }),
  ],
  'countersign-mllp-in': [absent({ port: '2575', processingIds: 'P', limit: '32', keepLimit: '500', repeat: '10' })],
  'countersign-order-from-files': [
    absent({
      make: false,
      map: '{}',
      mapType: 'json',
      poll: '5',
      stable: '5',
      pairing: '10',
      repeat: '10',
      limit: '32',
    }),
  ],
  'countersign-accept': [absent({ keepLimit: '500', repeat: '10' })],
  'countersign-mllp-out': [absent({ port: '2575', timeout: '30', tries: '10', keepLimit: '500' })],
  'countersign-held': [absent({ maxMessages: '1000', keepLimit: '500', maxDays: '7' })],
  'countersign-signer': [absent({ act: 'sign', reasonType: 'str' })],
  'countersign-preview': [
    absent({
      attachmentForm: 'data',
      placement: 'SmartAnnotations',
      drawn: true,
      annotationSource: 'value',
      jsonAnnotations: [],
      textAnnotations: [],
    }),
  ],
}

/** The version that this package stores for a type. */
export const currentVersion = (type: string): number => STEPS[type]?.length ?? 0

/** Returns the configuration in the current version. It may be a copy; `createNode` wants the object that Node-RED stored. */
export function migrated(stored: Config): Config {
  const steps = STEPS[stored.type] ?? []
  const version = stored.version ?? 0
  if (version >= steps.length) return stored
  const config = steps.slice(version).reduce((older, step) => step(older), stored)
  return { ...config, version: steps.length }
}
