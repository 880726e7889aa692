/** Which order of a message its document belongs to, and what becomes of it. Statuses count before the PDF is looked at. Pure. */
import { type ReadMessage, type ReadSegment, segmentsOf } from '../../hl7/message.ts'
import { valueIn } from '../../hl7/value-at.ts'
import type { Findings } from '../findings.ts'
import type { MapFile } from '../map-file.ts'
import { chosenPdf, createPdfReader, type Observation, type Pdf } from './attachment.ts'
import { groupsOf } from './groups.ts'
import type { Kind, Scope } from './sources.ts'
import { holdFor, type Status, statusOf } from './statuses.ts'
import type { Wanted } from './triggers.ts'

/** An order, with its PDFs. */
export interface Chosen {
  scope: Scope
  pdfs: readonly Pdf[]
  /** Those of the order. */
  observations: readonly Observation[]
  status: Status
}

interface Order extends Chosen {
  name: string
  /** Whether its statuses say that something is to be done, apart from a PDF. */
  isEnded: boolean
}

/**
 * Returns the one order that holds a PDF, or that is to be taken back. Holds the message, and returns null, when there are several:
 * the others would be lost without a trace.
 */
export function chosenOrder(message: ReadMessage, kind: Kind, map: MapFile, findings: Findings): Chosen | null {
  const { header, groups } =
    kind === 'document' ? { header: [], groups: [{ name: 'TXA', segments: message.segments }] } : groupsOf(message)
  holdRepeated(message, kind === 'document' ? ['TXA', 'PV1'] : ['PV1'], findings)
  const ordinals = new Map(segmentsOf(message, 'OBX').map((segment, index) => [segment, index + 1]))
  const pdfsIn = createPdfReader(message.delimiters)
  const orderIn = (name: string, segments: readonly ReadSegment[]): Order => {
    const observations = segments
      .filter((segment) => segment.name === 'OBX')
      .map((segment) => ({ segment, ordinal: ordinals.get(segment)! }))
    const pdfs = pdfsIn(observations)
    const held = chosenPdf(pdfs, map.pdf)?.observations ?? encapsulated(observations)
    const facts = segments.filter((segment) => segment.name !== 'OBX')
    const status = statusOf([...facts, ...held])
    const control = statusOf(facts.filter((segment) => segment.name === 'ORC'))
    const isEnded = status.verdict === 'retract' || (kind === 'order' && control.verdict === 'hold')
    const ofOrder = { ...message, segments: kind === 'document' ? segments : [...header, ...segments] }
    return { name, scope: { message: ofOrder, kind, map, observations: held }, pdfs, observations, status, isEnded }
  }
  if (orderIn('', header).pdfs.length > 0) {
    findings.hold('OBX-5', 'holds a PDF outside of any order')
    return null
  }
  const orders = groups.map(({ name, segments }) => orderIn(name, segments))
  for (const { status } of orders)
    for (const { place, reason, isUnlisted } of status.reasons) if (isUnlisted) findings.hold(place, reason)
  const acting = orders.filter(({ pdfs, isEnded }) => pdfs.length > 0 || isEnded)
  if (acting.length > 1) {
    findings.hold(
      acting.map(({ name }) => name).join(', '),
      'several orders of the message ask for something; send each in a message of its own',
    )
    return null
  }
  const [chosen = orders.length > 1 ? undefined : (orders[0] ?? orderIn('MSH', header))] = acting
  if (chosen === undefined) findings.hold('OBX-5', 'holds no PDF')
  return findings.held.length > 0 ? null : (chosen ?? null)
}

/** Observations that would hold the PDF. */
const encapsulated = (observations: readonly Observation[]): ReadSegment[] =>
  observations.map(({ segment }) => segment).filter((one) => ['ED', 'RP'].includes(valueIn(one, { field: 2 })))

function holdRepeated(message: ReadMessage, names: readonly string[], findings: Findings): void {
  for (const name of names)
    if (segmentsOf(message, name).length > 1) findings.hold(name, 'several, where a message about one document has one')
}

/** Returns what becomes of the document, by the event and its statuses; null when the message is held. */
export function actionOf(
  { event }: Wanted,
  status: Status,
  findings: Findings,
): 'create' | 'replace' | 'retract' | null {
  if (event === 'retract' || status.verdict === 'retract') return 'retract'
  if (event === 'status') {
    findings.hold(
      'MSH-9',
      'a new status asks for nothing to be signed; only the statuses CA and OB take a document back',
    )
    return null
  }
  if (status.verdict === 'hold' || status.verdict === 'ignore') {
    holdFor(status, findings)
    return null
  }
  return event === 'create' && status.verdict === 'send' ? 'create' : 'replace'
}
