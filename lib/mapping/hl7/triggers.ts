/** Decides the action of a message from its type and event. Pure. */
import type { Message } from '../../hl7/message.ts'
import { valueAt } from '../../hl7/value-at.ts'
import { isAccepted } from '../accepted.ts'
import type { Findings } from '../findings.ts'
import type { MapFile } from '../map-file.ts'
import type { Kind } from './sources.ts'

/** An event. */
export interface Wanted {
  kind: Kind
  /**
   * `create`: a new document. `correct`: the document of the same id again. `replace`: one in the place of that in TXA-13. `retract`:
   * the end of a document. `status`: a new status alone.
   */
  event: 'create' | 'correct' | 'replace' | 'retract' | 'status'
}

const document = (event: Wanted['event']): Wanted => ({ kind: 'document', event })

/** HL7 v2.9, chapters 4, 7 and 9. */
export const triggers: Readonly<Record<string, Wanted>> = {
  'MDM^T02': document('create'),
  'MDM^T03': document('status'),
  'MDM^T04': document('status'),
  'MDM^T06': document('create'),
  'MDM^T07': document('correct'),
  'MDM^T08': document('correct'),
  'MDM^T09': document('replace'),
  'MDM^T10': document('replace'),
  'MDM^T11': document('retract'),
  'ORU^R01': { kind: 'result', event: 'create' },
  'ORM^O01': { kind: 'order', event: 'create' },
  'OML^O21': { kind: 'order', event: 'create' },
}

/** Returns null, and holds the message, when it asks for nothing that the interface has, is not accepted, or is a test. */
export function wantedBy(message: Message, map: MapFile, findings: Findings): Wanted | null {
  const [type, event] = [valueAt(message, 'MSH-9').trim(), valueAt(message, 'MSH-9.2').trim()]
  const name = `${type}^${event}`
  const wanted = Object.hasOwn(triggers, name) ? triggers[name]! : null
  if (wanted === null) {
    findings.hold('MSH-9', `${name} is not a message type that creates or retracts a document`)
    return null
  }
  const isReal = map.processingIds.includes(valueAt(message, 'MSH-11').trim().toUpperCase())
  if (!isReal) findings.hold('MSH-11', `the message is not of the processing id ${map.processingIds.join(', or ')}`)
  const isCurrent = ['', '""', 'T'].includes(valueAt(message, 'MSH-11.2').trim().toUpperCase())
  if (!isCurrent) findings.hold('MSH-11.2', 'the message is from an archive or an initial load, not from current work')
  return isAccepted('MSH-9', type, map, findings) && isReal && isCurrent ? wanted : null
}
