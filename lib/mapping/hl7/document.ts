/** What the document is: its type, its clinical date, the sender's id and the diagnosis. Pure. */
import type { TaskDocument } from '../../contract/task/document.ts'
import { type Field, type Message, type Segment, segmentsOf } from '../../hl7/message.ts'
import { valueIn } from '../../hl7/value-at.ts'
import { annotationsOf } from '../annotations.ts'
import type { Findings } from '../findings.ts'
import type { MapFile, MappedField } from '../map-file.ts'
import { dateOf } from './date.ts'
import { type Kind, placesOf, type Source, sourcesOf } from './sources.ts'

const part = (field: Field, number: number): string => field[0]?.[number - 1]?.[0]?.trim() ?? ''

/** Returns the document without its PDF. */
export function documentFacts(
  message: Message,
  kind: Kind,
  map: MapFile,
  findings: Findings,
): Omit<TaskDocument, 'attachment'> {
  const first = (field: MappedField) => firstOf(message, kind, map, field, findings)
  const type = first('document.documentTypeId')
  const code = type === undefined ? '' : part(type.value, 1)
  const known = Object.hasOwn(map.documentTypes, code) ? map.documentTypes[code] : undefined
  if (type !== undefined && known === undefined)
    findings.hold(type.place, `the code ${JSON.stringify(code)} is not in the table of document types`)
  if (type !== undefined) findings.from('document.documentTypeId', `${type.place}, by the table documentTypes`)
  const date = first('document.effectiveDate')
  const diagnosisCode = diagnosis(message, kind, map, findings)
  return {
    documentTypeId: known?.documentTypeId ?? 0,
    effectiveDate:
      date === undefined
        ? ''
        : dateOf('document.effectiveDate', { place: date.place, value: part(date.value, 1) }, findings),
    externalDocId: externalDocId(message, kind, map, findings),
    annotations: annotationsOf(known, map, findings),
    ...(diagnosisCode !== undefined && { diagnosisCode }),
  }
}

function firstOf(
  message: Message,
  kind: Kind,
  map: MapFile,
  field: MappedField,
  findings: Findings,
): Source | undefined {
  const [source] = sourcesOf(message, kind, map, field)
  if (source === undefined) findings.hold(placesOf(kind, map, field), `empty, and ${field} is needed`)
  return source
}

/** Returns the sender's id of the document, `namespace|id` (EI). A result is told from others of its order by OBX-4. */
export function externalDocId(message: Message, kind: Kind, map: MapFile, findings: Findings): string {
  const source = firstOf(message, kind, map, 'document.externalDocId', findings)
  if (source === undefined) return ''
  const [id, namespace] = [part(source.value, 1), part(source.value, 2)]
  if (id === '') findings.hold(source.place, 'holds no id of the document')
  findings.from('document.externalDocId', source.place)
  const [observation] = kind === 'result' ? segmentsOf(message, 'OBX') : []
  const subId = observation === undefined ? '' : valueIn(observation, { field: 4 })
  const ofResult = subId === '' ? '' : `.${subId}`
  return `${namespace === '' ? '' : `${namespace}|`}${id}${ofResult}`
}

/** Table 0396, and how senders write it. `I9` is an earlier edition, whose codes mean something else. */
const ICD_10 = ['I10', 'I10C', 'ICD10', 'ICD-10', 'ICD-10-CM', 'ICD10CM']

function diagnosis(message: Message, kind: Kind, map: MapFile, findings: Findings): string | undefined {
  const places = map.fields['document.diagnosisCode']
  const primary = segmentsOf(message, 'DG1').toSorted((a, b) => priority(a) - priority(b))
  for (const { place, value } of sourcesOf(inOrder(message, primary), kind, map, 'document.diagnosisCode')) {
    const [code, system] = [part(value, 1), part(value, 3).toUpperCase()]
    if (ICD_10.includes(system) || (places !== undefined && system === '')) {
      findings.from('document.diagnosisCode', place)
      return code
    }
    findings.warn(place, 'left out, because it is no code of ICD-10')
    return undefined
  }
  return undefined
}

/** DG1-15: 1 is the primary diagnosis. */
const priority = (segment: Segment): number => Number(valueIn(segment, { field: 15 }) || 99)

const inOrder = (message: Message, diagnoses: readonly Segment[]): Message => ({
  ...message,
  segments: [...message.segments.filter(({ name }) => name !== 'DG1'), ...diagnoses],
})
