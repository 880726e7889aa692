/** Where the fields of a request come from, when the map does not say otherwise. */
import { type Field, fieldOf, type Message, segmentsOf } from '../../hl7/message.ts'
import { readPlace } from '../../hl7/value-at.ts'
import type { MapFile, MappedField } from '../map-file.ts'

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
    'document.externalDocId': ['OBR-3', 'OBR-2'],
    'document.documentTypeId': ['OBR-4', 'OBX-3'],
    'document.diagnosisCode': ['OBR-31', 'DG1-3'],
    'performers[0].signer.userNPI': ['OBR-16', 'OBR-32'],
    'performers[0].organization.orgNPI': ['ORC-21', 'PV1-3', 'MSH-4'],
  },
  order: {
    'document.effectiveDate': ['OBR-7', 'ORC-15'],
    'document.externalDocId': ['ORC-3', 'ORC-2'],
    'document.documentTypeId': ['OBR-4'],
    'document.diagnosisCode': ['DG1-3', 'OBR-31'],
    'performers[0].signer.userNPI': ['ORC-12', 'OBR-16'],
    'performers[0].organization.orgNPI': ['ORC-21', 'PV1-3', 'MSH-4'],
  },
}

/** A field that holds something, and where it stands. */
export interface Source {
  /** `TXA-10`. */
  place: string
  value: Field
}

/**
 * Returns the sources of a field that hold anything, in their order, each of the first segment of its name that does. Whoever asks
 * takes the first and judges it: what is there and cannot be used is held, and no later source stands in for it.
 */
export function sourcesOf(message: Message, kind: Kind, map: MapFile, field: MappedField): Source[] {
  const places = map.fields[field] ?? usual[kind][field]
  return places.flatMap((place) => {
    const { segment: name, field: number } = readPlace(place)!
    const values = segmentsOf(message, name).map((segment) => fieldOf(segment, number))
    const value = values.find(holdsSomething)
    return value === undefined ? [] : [{ place, value }]
  })
}

/** The names of the sources, for what is said when none holds anything. */
export const placesOf = (kind: Kind, map: MapFile, field: MappedField): string =>
  (map.fields[field] ?? usual[kind][field]).join(', ')

const holdsSomething = (field: Field): boolean =>
  field.some((repetition) => repetition.some((component) => component.some((value) => !/^\s*(?:"")?\s*$/.test(value))))
