/** Maps the document: its type, its clinical date, the sender's ids and the diagnosis. Pure. */
import { isDeepStrictEqual } from 'node:util'
import type { TaskDocument } from '../../contract/task/document.ts'
import { type Field, type Message, type Repetition, type Segment, segmentsOf } from '../../hl7/message.ts'
import { valueIn } from '../../hl7/value-at.ts'
import { annotationsOf } from '../annotations.ts'
import type { Findings } from '../findings.ts'
import type { MapFile, MappedField } from '../map-file.ts'
import { dateOf } from './date.ts'
import {
  type Authority,
  authorityOfEntity,
  idIn,
  isCutShort,
  part,
  qualified,
  sendingFacility,
  unusable,
} from './identity.ts'
import { placesIn, type Scope, type Source, sourcesOf } from './sources.ts'

const partOf = (field: Field, number: number): string => field[0]?.[number - 1]?.[0]?.trim() ?? ''

/** Returns the document without its PDF and its id. */
export function documentFacts(scope: Scope, findings: Findings): Omit<TaskDocument, 'attachment' | 'externalDocId'> {
  const { map } = scope
  const known = kindOf(scope, findings)
  const date = firstOf(scope, 'document.effectiveDate', findings)
  const diagnosisCode = diagnosis(scope, findings)
  return {
    documentTypeId: known?.documentTypeId ?? 0,
    effectiveDate:
      date === undefined
        ? ''
        : dateOf('document.effectiveDate', { place: date.place, value: partOf(date.value, 1) }, map, findings),
    annotations: annotationsOf(known, map, findings),
    ...(diagnosisCode !== undefined && { diagnosisCode }),
  }
}

/**
 * Returns what the table of the map says of the code, or of the alternate code alongside it. CWE: code, text, system, and the same of the
 * alternate code (4 to 6). A key of the table is `system|code`, or a code of any system; an alternate code counts by `system|code` alone.
 */
function kindOf(scope: Scope, findings: Findings): MapFile['documentTypes'][string] | undefined {
  const type = firstOf(scope, 'document.documentTypeId', findings)
  if (type === undefined) return undefined
  findings.from('document.documentTypeId', `${type.place}, by the table documentTypes`)
  const { documentTypes } = scope.map
  const [coded] = type.value
  const code = idIn(coded)
  const keys = [[`${part(coded, 3)}|${code}`, code], [`${part(coded, 6)}|${idIn(coded, 4)}`]]
  const known = keys.flatMap((each) => {
    const key = each.find((one) => Object.hasOwn(documentTypes, one))
    return key === undefined ? [] : [documentTypes[key]!]
  })
  const [first] = known
  if (first === undefined)
    findings.hold(type.place, `the code ${JSON.stringify(code)} is not in documentTypes of the map`)
  else if (known.some((other) => !isDeepStrictEqual(other, first)))
    findings.hold(type.place, 'holds two codes, which are different document types in documentTypes of the map')
  return first
}

function firstOf(scope: Scope, field: MappedField, findings: Findings): Source | undefined {
  const [source] = sourcesOf(scope, field)
  if (source === undefined) findings.hold(placesIn(scope, field).join(', '), `empty, and ${field} is needed`)
  else if (source.isSeveral) findings.hold(source.place, 'holds different values in several segments or repetitions')
  return source
}

/** The ids of a document. */
export interface DocumentIds {
  externalDocId: string
  /** The other numbers of its order, each of which the sender may name alone. */
  aliases: readonly string[]
}

/**
 * Returns the sender's ids of the document, `namespace|id` (EI). The placer's number is the id of an order, as a new order has no
 * other; the filler's number is that of a result. A result is told from others of its order by OBX-4.
 */
export function documentIds(scope: Scope, findings: Findings): DocumentIds {
  const source = firstOf(scope, 'document.externalDocId', findings)
  if (source === undefined) return { externalDocId: '', aliases: [] }
  findings.from('document.externalDocId', source.place)
  const externalDocId = idAt(source.place, source.value[0], scope, findings)
  if (scope.kind === 'document' || scope.map.fields['document.externalDocId'] !== undefined)
    return { externalDocId, aliases: [] }
  const aliases = orderNumbers(scope, findings).filter((number) => number !== externalDocId)
  return { externalDocId, aliases: [...new Set(aliases)] }
}

/** Returns the numbers of placer and filler. Holds the message when ORC and OBR disagree about one. */
function orderNumbers(scope: Scope, findings: Findings): string[] {
  const segments = scope.message.segments.filter(({ name }) => name === 'ORC' || name === 'OBR')
  return [2, 3].flatMap((field) => {
    const entities = segments.flatMap((segment) => {
      const [entity] = segment.field(field)
      return idIn(entity) === '' || reasonAgainst(entity, scope) !== null ? [] : [entity!]
    })
    const numbers = [...new Set(entities.map((entity) => textOf(entity, scope)))]
    if (numbers.length > 1) findings.hold(`ORC-${field}, OBR-${field}`, 'hold different numbers of one order')
    return numbers.slice(0, 1)
  })
}

/** Returns the id of a replaced document, TXA-13; null when there is none. */
export function parentId(scope: Scope, findings: Findings): string | null {
  const [transcription] = segmentsOf(scope.message, 'TXA')
  const entities = transcription?.field(13).filter((entity) => idIn(entity) !== '') ?? []
  const [first] = entities
  if (new Set(entities.map((entity) => textOf(entity, scope))).size > 1)
    findings.hold('TXA-13', 'names several documents; send a message for each')
  return first === undefined ? null : idAt('TXA-13', first, scope, findings)
}

function idAt(place: string, entity: Repetition | undefined, scope: Scope, findings: Findings): string {
  const reason = reasonAgainst(entity, scope)
  if (reason !== null) findings.hold(place, reason)
  if (authorityOfEntity(entity).key === '') {
    const hasFacility = sendingFacility(scope.message).key !== ''
    const counts = hasFacility ? 'the facility that sent the message (MSH-4) counts as such' : 'the id alone counts'
    findings.warn(place, `names no authority, so ${counts}`)
  }
  return textOf(entity, scope)
}

function reasonAgainst(entity: Repetition | undefined, { message }: Scope): string | null {
  const id = idIn(entity)
  return id === '' ? 'has no id of the document' : unusable(id, assignerOf(entity, message), message)
}

const assignerOf = (entity: Repetition | undefined, message: Message): Authority => {
  const own = authorityOfEntity(entity)
  return own.key === '' ? sendingFacility(message) : own
}

function textOf(entity: Repetition | undefined, { message, kind, observations }: Scope): string {
  const [observation] = kind === 'result' ? observations : []
  const subId = observation === undefined ? '' : valueIn(observation, { field: 4 }).trim()
  return qualified(assignerOf(entity, message), idIn(entity) + (subId === '' ? '' : `.${subId}`))
}

/** Table 0396, and how senders write it. `I9` is an earlier edition, whose codes mean something else. */
const ICD_10 = ['I10', 'I10C', 'ICD10', 'ICD-10', 'ICD-10-CM', 'ICD10CM']

function diagnosis(scope: Scope, findings: Findings): string | undefined {
  const isOwn = scope.map.fields['document.diagnosisCode'] !== undefined
  const [source] = sourcesOf(withPrimaryFirst(scope), 'document.diagnosisCode')
  if (source === undefined) return undefined
  const [code, system] = [partOf(source.value, 1), partOf(source.value, 3).toUpperCase()]
  if (isCutShort(code, scope.message)) {
    findings.warn(source.place, 'omitted, because it was cut short')
    return undefined
  }
  if (ICD_10.includes(system) || (isOwn && system === '')) {
    findings.from('document.diagnosisCode', source.place)
    return code
  }
  findings.warn(source.place, 'left out, because it is no code of ICD-10')
  return undefined
}

/** DG1-15: 1 is the primary diagnosis. */
const priority = (segment: Segment): number => Number(valueIn(segment, { field: 15 }) || 99)

function withPrimaryFirst(scope: Scope): Scope {
  const { message } = scope
  const diagnoses = segmentsOf(message, 'DG1').toSorted((a, b) => priority(a) - priority(b))
  return {
    ...scope,
    message: { ...message, segments: [...message.segments.filter(({ name }) => name !== 'DG1'), ...diagnoses] },
  }
}
