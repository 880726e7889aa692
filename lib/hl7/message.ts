/** A message as it was split: segments, fields, repetitions, components, subcomponents, each value unescaped. */
import type { Delimiters } from './delimiters.ts'

/** The subcomponents of a component; there is at least one, which may be empty. */
export type Component = readonly string[]
/** The components of one repetition of a field. */
export type Repetition = readonly Component[]
/** Empty when the field is. A field that holds only `""`, which deletes what the receiver has, is not empty. */
export type Field = readonly Repetition[]

export interface Segment {
  /** Three letters and digits, such as `PID`. */
  readonly name: string
  /**
   * The fields from field 1 on; in MSH, that is the field separator. A segment that was read splits all of its fields when this
   * is read.
   */
  readonly fields: readonly Field[]
}

/** A segment of a message that was read. Nothing of it is split before it is asked for. */
export interface ReadSegment extends Segment {
  /** Returns a field by its number, from 1, and splits no other; an empty one when the segment is shorter. Throws `Hl7Error` above a limit. */
  field(number: number): Field
  /** Returns a field as it came, with its delimiters and escapes. */
  textOf(number: number): string
  /** All fields as they came. */
  readonly texts: readonly string[]
  /** The delimiters and character set of the message it was read from. */
  readonly source: Pick<Message, 'delimiters' | 'characterSet'>
}

export interface Message {
  delimiters: Delimiters
  /** The name that Node.js and iconv-lite have for the character set, such as `utf-8`. */
  characterSet: string
  /** The segments as they came; the first is MSH. */
  segments: readonly Segment[]
}

/** A message that was read. */
export interface ReadMessage extends Message {
  segments: readonly ReadSegment[]
}

/** Returns the segments of a name, in their order. */
export const segmentsOf = <S extends Segment>({ segments }: { segments: readonly S[] }, name: string): S[] =>
  segments.filter((segment) => segment.name === name)

/** Returns the field by its number, from 1; an empty one when the segment is shorter. */
export const fieldOf = (segment: Segment | ReadSegment, number: number): Field =>
  'field' in segment ? segment.field(number) : (segment.fields[number - 1] ?? [])

/** Returns a field with one value; an empty one for an empty text. */
export const fieldWith = (value: string): Field => (value === '' ? [] : [[[value]]])

/** Returns the segment with other fields at these numbers, from 1. */
export function withFields({ name, fields }: Segment, changes: Readonly<Record<number, Field>>): Segment {
  const length = Math.max(fields.length, ...Object.keys(changes).map(Number))
  return { name, fields: Array.from({ length }, (_, index) => changes[index + 1] ?? fields[index] ?? []) }
}
