/** What a message asks for, by its type and event. Pure. */
import { type Message, segmentsOf } from '../../hl7/message.ts'
import { valueAt } from '../../hl7/value-at.ts'
import { isAccepted } from '../accepted.ts'
import type { Findings } from '../findings.ts'
import type { MapFile } from '../map-file.ts'
import type { Kind } from './sources.ts'

export type Wanted =
  | { action: 'create'; kind: Kind }
  /** The document of this id was sent before, and is taken back. */
  | { action: 'replace'; kind: Kind }
  | { action: 'retract'; kind: Kind }

const triggers: Readonly<Record<string, Wanted>> = {
  'MDM^T02': { action: 'create', kind: 'document' },
  'MDM^T06': { action: 'create', kind: 'document' },
  'MDM^T08': { action: 'replace', kind: 'document' },
  'MDM^T10': { action: 'replace', kind: 'document' },
  'MDM^T11': { action: 'retract', kind: 'document' },
  'ORU^R01': { action: 'create', kind: 'result' },
  'ORM^O01': { action: 'create', kind: 'order' },
  'OML^O21': { action: 'create', kind: 'order' },
}

/** TXA-19: cancelled, obsolete. */
const WITHDRAWN = ['CA', 'OB']

/** Returns null, and holds the message, when it asks for nothing that the interface has. One that the map does not accept is held, too. */
export function wantedBy(message: Message, map: MapFile, findings: Findings): Wanted | null {
  const wanted = wantedByEvent(message, findings)
  return wanted !== null && isAccepted('MSH-9', valueAt(message, 'MSH-9'), map, findings) ? wanted : null
}

function wantedByEvent(message: Message, findings: Findings): Wanted | null {
  const event = `${valueAt(message, 'MSH-9')}^${valueAt(message, 'MSH-9.2')}`
  if (event === 'MDM^T04' && WITHDRAWN.includes(valueAt(message, 'TXA-19')))
    return { action: 'retract', kind: 'document' }
  const wanted = triggers[event]
  if (wanted === undefined) {
    findings.hold('MSH-9', `${event} asks for nothing to be signed or taken back`)
    return null
  }
  // ORM and OML cancel by ORC-1 what they have ordered.
  const isCancelled =
    wanted.kind === 'order' && segmentsOf(message, 'ORC').length > 0 && valueAt(message, 'ORC-1') === 'CA'
  return isCancelled ? { ...wanted, action: 'retract' } : wanted
}
