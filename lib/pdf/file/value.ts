/** The values of a PDF as read, each with its position in the file, end exclusive. */

export interface Span {
  start: number
  end: number
}

export type Dictionary = Span & { kind: 'dictionary'; entries: ReadonlyMap<string, Value> }
export type Sequence = Span & { kind: 'array'; items: readonly Value[] }
export type Name = Span & { kind: 'name'; name: string }
/** `(…)` or `<…>`; the span includes what encloses it. */
export type Text = Span & { kind: 'text'; isHex: boolean }
export type Numeral = Span & { kind: 'number'; value: number }
export type Reference = Span & { kind: 'reference'; number: number; generation: number }
export type Truth = Span & { kind: 'boolean'; value: boolean }
export type Nothing = Span & { kind: 'null' }

export type Value = Dictionary | Sequence | Name | Text | Numeral | Reference | Truth | Nothing

/** `5 0 obj … endobj`, or an object of an object stream. */
export interface IndirectObject extends Span {
  number: number
  generation: number
  value: Value
  /** The data of a stream, as stored. */
  data: Span | null
  /** The bytes that all spans are in: the file, or an object stream when unpacked. */
  bytes: Buffer
}

/** Thrown where bytes are not what the format says, or are more than we read. Never quotes them. */
export class SyntaxProblem extends Error {
  override name = 'SyntaxProblem'
}

export const entryOf = (value: Value | null | undefined, key: string): Value | undefined =>
  value?.kind === 'dictionary' ? value.entries.get(key) : undefined

/** A whole number that is not negative, or null. */
export const countOf = (value: Value | null | undefined): number | null =>
  value?.kind === 'number' && Number.isSafeInteger(value.value) && value.value >= 0 ? value.value : null

export const nameOf = (value: Value | null | undefined): string | null => (value?.kind === 'name' ? value.name : null)
