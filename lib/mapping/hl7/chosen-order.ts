/** Which order of a message its document belongs to, and what becomes of it. Statuses count before the PDF is looked at. Pure. */
import { type ReadMessage, type ReadSegment, segmentsOf } from '../../hl7/message.ts'
import { valueIn } from '../../hl7/value-at.ts'
import type { Findings } from '../findings.ts'
import type { MapFile } from '../map-file.ts'
import { chosenPdf, createPdfReader, type Found, type Observation, observationFinder } from './attachment.ts'
import { type Grouped, groupsOf } from './groups.ts'
import type { Kind, Scope } from './sources.ts'
import { holdFor, type Status, statusOf } from './statuses.ts'
import type { Wanted } from './triggers.ts'

/** An order, with its PDFs, and the places of data in all of the message that may be parts of them. */
export interface Chosen extends Found {
  scope: Scope
  /** The observations of the order. */
  observations: readonly Observation[]
  status: Status
}

interface Order extends Omit<Chosen, 'scope'> {
  name: string
  segments: readonly ReadSegment[]
  /** The segments of the observations that hold its PDF, or would hold it. */
  held: readonly ReadSegment[]
  /** Whether its statuses say that something is to be done, apart from a PDF. */
  isEnded: boolean
}

/** How many orders a finding names. */
const MOST_NAMED = 10

/**
 * Returns the one order that holds a PDF, or that is to be taken back. Holds the message, and returns null, when there are several:
 * the others would be lost without a trace.
 */
export function chosenOrder(message: ReadMessage, kind: Kind, map: MapFile, findings: Findings): Chosen | null {
  const { header, astray, groups } = kind === 'document' ? documentIn(message) : groupsOf(message)
  holdContinued(message, findings)
  holdRepeated(message, kind === 'document' ? ['TXA', 'PV1'] : ['PV1'], findings)
  const observationsIn = observationFinder(message)
  const pdfsIn = createPdfReader(message.delimiters)
  const orderIn = (name: string, segments: readonly ReadSegment[]): Order => {
    const observations = observationsIn(segments)
    const { pdfs, strays } = pdfsIn(observations)
    const held = chosenPdf(pdfs, map.pdf)?.observations ?? encapsulated(observations)
    const facts = segments.filter((segment) => segment.name !== 'OBX')
    const status = statusOf([...facts, ...held])
    const control = statusOf(facts.filter((segment) => segment.name === 'ORC'))
    const isEnded = status.verdict === 'retract' || (kind === 'order' && control.verdict === 'hold')
    return { name, segments, held, pdfs, strays, observations, status, isEnded }
  }
  const outside = orderIn('', [...header, ...astray])
  if (outside.pdfs.length > 0) {
    findings.hold('OBX-5, NTE-3', 'holds a PDF outside of any order')
    return null
  }
  if (kind === 'document' && haveDifferentEnds(message))
    findings.hold('ORC', 'several orders, of which one has ended; send each in a message of its own')
  const acting: Order[] = []
  const strays = [...outside.strays]
  let only = groups.length === 0 ? orderIn('MSH', header) : null
  // A message may have very many orders. Only those that count are kept.
  for (const { name, segments } of groups) {
    const order = orderIn(name, segments)
    for (const { place, reason, isUnlisted } of order.status.reasons) if (isUnlisted) findings.hold(place, reason)
    for (const stray of order.strays) strays.push(stray)
    if (order.pdfs.length > 0 || order.isEnded) acting.push(order)
    else if (groups.length === 1) only = order
  }
  if (acting.length > 1) {
    const names = acting.slice(0, MOST_NAMED).map(({ name }) => name)
    const more = acting.length - names.length
    findings.hold(
      names.join(', ') + (more > 0 ? ` and ${more} more` : ''),
      'several orders of the message ask for something; send each in a message of its own',
    )
    return null
  }
  const chosen = acting[0] ?? only
  if (chosen === null) findings.hold('OBX-5', 'holds no PDF')
  if (chosen === null || findings.held.length > 0) return null
  const { name, pdfs, observations, status, held } = chosen
  const segments = kind === 'document' || name === 'MSH' ? chosen.segments : [...header, ...chosen.segments]
  const scope = { message: { ...message, segments }, kind, map, observations: held }
  return { scope, pdfs, strays, observations, status }
}

/** A message about a document is one group, with the orders that the document belongs to. */
const documentIn = ({ segments }: ReadMessage): Grouped => ({
  header: [],
  astray: [],
  groups: [{ name: 'TXA', segments }],
})

/** Returns whether one of the orders has ended and another one has not. */
function haveDifferentEnds(message: ReadMessage): boolean {
  const isEnd = isEndOf(message.segments)
  return groupsOf(message).groups.some(({ segments }) => isEndOf(segments) !== isEnd)
}

const isEndOf = (segments: readonly ReadSegment[]): boolean =>
  statusOf(segments.filter(({ name }) => name === 'ORC' || name === 'OBR')).verdict === 'retract'

/** Observations that would hold the PDF. */
const encapsulated = (observations: readonly Observation[]): ReadSegment[] =>
  observations.map(({ segment }) => segment).filter((one) => ['ED', 'RP'].includes(valueIn(one, { field: 2 })))

/** Holds a message that was divided into several: the rest of a segment is in another one, or in ADD. */
function holdContinued(message: ReadMessage, findings: Findings): void {
  const isFilled = (name: string, field: number) =>
    segmentsOf(message, name).some((segment) => valueIn(segment, { field }).trim() !== '')
  for (const [name, field] of [
    ['MSH', 14],
    ['DSC', 1],
    ['ADD', 1],
  ] as const)
    if (isFilled(name, field)) findings.hold(`${name}-${field}`, 'divides the message; send it in one piece')
}

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
    findings.hold('MSH-9', 'a new status requests no signature; only the statuses CA and OB withdraw a document')
    return null
  }
  if (status.verdict === 'hold' || status.verdict === 'ignore') {
    holdFor(status, findings)
    return null
  }
  return event === 'create' && status.verdict === 'send' ? 'create' : 'replace'
}
