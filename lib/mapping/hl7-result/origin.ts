/**
 * The facts about an order in HL7 v2 that its result needs: whose document it was, under which ids, and how the sender writes.
 * Pure.
 */
import * as z from 'zod'
import { setFor } from '../../hl7/character-set.ts'
import { countIn, HL7_LIMITS, tooMany } from '../../hl7/limits.ts'
import type { Field, ReadSegment } from '../../hl7/message.ts'
import { signerAsSent } from '../hl7/signer.ts'
import { type Scope, sourcesOf } from '../hl7/sources.ts'

const list = <S extends z.ZodType>(of: S) => z.array(of).readonly()
const Repetition = list(list(z.string()))
const Segment = z.object({ name: z.string(), fields: list(list(Repetition)) })
const character = z.string().length(1)

/** Plain JSON. It holds the patient, and no document. */
export const Hl7Origin = z.object({
  delimiters: z.object({
    field: character,
    component: character,
    repetition: character,
    escapeCharacter: character,
    subcomponent: character,
    truncation: character.nullable(),
  }),
  characterSet: z.string().refine((name) => setFor(name) !== null),
  /** MSH, PID, PV1, ORC, OBR and TXA as they came, escapes included, and the first four fields of the OBX that a result repeats. */
  segments: list(Segment).refine(([first]) => first?.name === 'MSH'),
  /** The sender's id of the document: EI. */
  documentId: Repetition,
  /** Who was to sign: XCN. */
  signer: Repetition,
  /** The NPI of that person; null when the message names none. */
  signerNpi: z.string().nullable(),
})
export type Hl7Origin = z.infer<typeof Hl7Origin>

const REPEATED = ['MSH', 'PID', 'PV1', 'ORC', 'OBR', 'TXA']

/** Returns what the order leaves. Throws `Hl7Error` when the result would repeat too much: the origin is carried along, and kept. */
export function originOf(scope: Scope): Hl7Origin {
  const { message, observations } = scope
  const { delimiters, characterSet, segments } = message
  const { person: signer, npi: signerNpi } = signerAsSent(scope)
  const [documentId] = sourcesOf(scope, 'document.externalDocId')
  const [observation] = observations
  const { repetition, component, subcomponent } = delimiters
  let valuesLeft: number = HL7_LIMITS.valuesPerResult
  const kept = segments.flatMap((segment) => {
    const { name } = segment
    // The document in the fields after these may be large, and a message may have very many observations.
    if (segment === observation) return { name, fields: [1, 2, 3, 4].map((number) => asItCame(segment, number)) }
    return REPEATED.includes(name)
      ? { name, fields: segment.texts.map((_, index) => asItCame(segment, index + 1)) }
      : []
  })
  function asItCame(segment: ReadSegment, number: number): Field {
    const text = segment.textOf(number)
    valuesLeft -= 1
    for (const character of [repetition, component, subcomponent]) valuesLeft -= countIn(text, character, valuesLeft)
    if (valuesLeft < 0) throw tooMany('The message', 'valuesPerResult')
    if (segment.field(number).length === 0) return []
    if (segment.name === 'MSH' && number <= 2) return [[[text]]]
    return text.split(repetition).map((one) => one.split(component).map((part) => part.split(subcomponent)))
  }
  return {
    delimiters,
    characterSet,
    segments: kept,
    documentId: documentId?.value[0] ?? [],
    signer,
    signerNpi,
  }
}

/** Returns the field with each value escaped. */
export const escapedField = (field: Field, escaped: (value: string) => string): Field =>
  field.map((repetition) => repetition.map((component) => component.map(escaped)))
