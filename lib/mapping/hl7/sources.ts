/** Where the fields of a request come from, when the map does not say otherwise. */
import { isDeepStrictEqual } from 'node:util'
import { type Field, fieldOf, type ReadMessage, type ReadSegment, type Segment, segmentsOf } from '../../hl7/message.ts'
import { readPlace, valueIn } from '../../hl7/value-at.ts'
import type { Findings } from '../findings.ts'
import type { MapFile, MappedField } from '../map-file.ts'
import { isInUse } from './identity.ts'

/** Messages about documents (MDM), results (ORU) and orders (ORM, OML). */
export type Kind = 'document' | 'result' | 'order'

const usual: Readonly<Record<Kind, Readonly<Record<MappedField, readonly string[]>>>> = {
  document: {
    'document.effectiveDate': ['TXA-4'],
    'document.externalDocId': ['TXA-12'],
    'document.documentTypeId': ['TXA-2'],
    'document.diagnosisCode': ['DG1-3'],
    'performers[0].signer.userNPI': ['TXA-10', 'TXA-9', 'TXA-5'],
    'performers[0].organization.orgNPI': ['PV1-3', 'MSH-4'],
  },
  result: {
    'document.effectiveDate': ['OBR-7'],
    'document.externalDocId': ['OBR-3', 'ORC-3', 'OBR-2', 'ORC-2'],
    'document.documentTypeId': ['OBR-4', 'OBX-3'],
    'document.diagnosisCode': ['OBR-31', 'DG1-3'],
    'performers[0].signer.userNPI': ['ORC-12', 'OBR-16', 'PRT-5', 'OBR-32'],
    'performers[0].organization.orgNPI': ['ORC-21', 'PRT-8', 'PV1-3', 'MSH-4'],
  },
  order: {
    'document.effectiveDate': ['OBR-7', 'ORC-15'],
    'document.externalDocId': ['ORC-2', 'OBR-2', 'ORC-3', 'OBR-3'],
    'document.documentTypeId': ['OBR-4'],
    'document.diagnosisCode': ['DG1-3', 'OBR-31'],
    'performers[0].signer.userNPI': ['ORC-12', 'OBR-16', 'PRT-5'],
    'performers[0].organization.orgNPI': ['ORC-21', 'PRT-8', 'PV1-3', 'MSH-4'],
  },
}

/** Sources of a signer that count only where no other names one: who performed, and who interpreted. */
export const LATER_SIGNERS: readonly string[] = ['TXA-5', 'OBR-32']

/** A field that holds something, and where it is. */
export interface Source {
  /** `TXA-10`. */
  place: string
  /** That of the first segment. */
  value: Field
  /** The values of all segments of the order. */
  values: readonly Field[]
  /** Whether another segment of the order, or another repetition, holds something else in the field. */
  isSeveral: boolean
}

/** The part of a message that one document is made of: its order with MSH, PID and PV1. */
export interface Scope {
  message: ReadMessage
  kind: Kind
  map: MapFile
  /** The observations that hold the PDF; where there is none, those that would. */
  observations: readonly ReadSegment[]
}

/**
 * Returns the sources of a field that hold anything, in their order. Takes OBX from the observation that holds the PDF, and all other
 * segments from the order. The caller takes the first and judges it: what is there and cannot be used is held, and no later source
 * is taken in its place.
 */
export function sourcesOf(scope: Scope, field: MappedField): Source[] {
  return placesIn(scope, field).flatMap((place) => {
    const { segment: name, field: number } = readPlace(place)!
    const segments = name === 'OBX' ? scope.observations.slice(0, 1) : segmentsOf(scope.message, name)
    const values = segments
      .filter((segment) => segment.name !== 'PRT' || isOrderingProvider(segment, scope.message))
      .map((segment) => fieldOf(segment, number))
      .filter(holdsSomething)
    const [value] = values
    if (value === undefined) return []
    const all = values.flat().filter((repetition) => holdsSomething([repetition]))
    const isSeveral = !REPEATED.includes(place) && all.some((other) => !isDeepStrictEqual(other, all[0]))
    return [{ place, value, values, isSeveral }]
  })
}

/** A diagnosis may be one of several; all else is said once. */
const REPEATED = ['DG1-3', 'OBR-31']

/** The actions of PRT-2 by tables 0287 and 0206: those with which a participation is there, and those that end it. */
const CURRENT = ['', '""', 'AD', 'CO', 'LI', 'UC', 'UP', 'A', 'U', 'X']
const ENDED = ['DE', 'UN', 'D']

/** PRT-4 (table 0912) says what a person does, and PRT-11 and PRT-12 from when to when. */
function isOrderingProvider(segment: Segment, message: ReadMessage): boolean {
  const [from, until] = [11, 12].map((field) => textIn(segment, field))
  return isOfOrderingProvider(segment) && !ENDED.includes(textIn(segment, 2)) && isInUse(message, from!, until!)
}

/** Holds the message when it is unknown whether an ordering provider still takes part. */
export function holdParticipations({ message }: Scope, findings: Findings): void {
  const actions = segmentsOf(message, 'PRT')
    .filter(isOfOrderingProvider)
    .map((segment) => textIn(segment, 2))
  const unlisted = actions.find((action) => !CURRENT.includes(action) && !ENDED.includes(action))
  if (unlisted === undefined) return
  const named = /^[\w-]{1,6}$/.test(unlisted) ? `the code ${JSON.stringify(unlisted)}` : 'a code'
  findings.hold('PRT-2', `holds ${named}, which is not in tables 0287 and 0206 as they are read`)
}

const isOfOrderingProvider = (segment: Segment): boolean => textIn(segment, 4) === 'OP'

const textIn = (segment: Segment, field: number): string => valueIn(segment, { field }).trim().toUpperCase()

/** Returns the places of the sources of a field. */
export const placesIn = ({ kind, map }: Scope, field: MappedField): readonly string[] =>
  map.fields[field] ?? usual[kind][field]

const holdsSomething = (field: Field): boolean =>
  field.some((repetition) => repetition.some((component) => component.some((value) => !/^\s*(?:"")?\s*$/.test(value))))
