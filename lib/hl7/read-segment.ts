/** The segments of a message that was read: each knows where it is in the text, and splits a field when it is asked for. */
import { encodingCharacters } from './delimiters.ts'
import { type DecodeBytes, readEscapes } from './escapes.ts'
import { Hl7Error } from './hl7-error.ts'
import { countIn, HL7_LIMITS, tooMany } from './limits.ts'
import type { Field, ReadSegment } from './message.ts'

/** In characters. Shorter fields and segments are not kept after they were split. */
const SHORT_FIELD = 32
const SHORT_SEGMENT = 256
const EMPTY: Field = []

/** Returns a function that makes the segment at a place of the text. All segments share one count of the values that were split. */
export function createSegmentReader(text: string, source: ReadSegment['source'], decode: DecodeBytes) {
  const { delimiters } = source
  const { field: bar, repetition, component, subcomponent } = delimiters
  const DIVIDING = new Set([repetition, component, subcomponent, delimiters.escapeCharacter])
  let valuesLeft: number = HL7_LIMITS.valuesPerMessage

  /** Throws before anything is split when a field has more parts than is read. */
  function checkParts(field: string, place: string): void {
    let values = 1
    for (const [character, limit] of [
      [repetition, 'repetitions'],
      [component, 'valuesPerField'],
      [subcomponent, 'valuesPerField'],
    ] as const) {
      const count = countIn(field, character, HL7_LIMITS[limit])
      if (count >= HL7_LIMITS[limit]) throw tooMany(place, limit)
      values += count
    }
    if (values > HL7_LIMITS.valuesPerField) throw tooMany(place, 'valuesPerField')
    valuesLeft -= values
    if (valuesLeft < 0) throw tooMany('The message', 'valuesPerMessage')
  }

  function isDivided(field: string): boolean {
    for (const character of field) if (DIVIDING.has(character)) return true
    return false
  }

  function parts(part: string, delimiter: string, limit: 'components' | 'subcomponents', place: string): string[] {
    if (countIn(part, delimiter, HL7_LIMITS[limit]) >= HL7_LIMITS[limit]) throw tooMany(place, limit)
    return part.split(delimiter)
  }

  function fieldFrom(field: string, place: string): Field {
    if (field === '') return []
    checkParts(field, place)
    try {
      return field
        .split(repetition)
        .map((one) =>
          parts(one, component, 'components', place).map((part) =>
            parts(part, subcomponent, 'subcomponents', place).map((value) => readEscapes(value, delimiters, decode)),
          ),
        )
    } catch (failure) {
      if (!(failure instanceof Hl7Error) || failure.message.startsWith(place)) throw failure
      throw new Hl7Error(`${place}: ${failure.message}`)
    }
  }

  class SegmentInText implements ReadSegment {
    readonly name: string
    readonly #start: number
    readonly #end: number
    /** The fields that were split, except short ones; made with the first of them. */
    #read: Map<number, Field> | null = null
    /** The bars of a long segment; looked for when the first field is asked for. */
    #bars: number[] | null = null

    constructor(name: string, start: number, end: number) {
      this.name = name
      this.#start = start
      this.#end = end
    }

    get fields(): readonly Field[] {
      return Array.from({ length: this.#count }, (_, index) => this.field(index + 1))
    }

    field(number: number): Field {
      const known = this.#read?.get(number)
      if (known !== undefined) return known
      const field = this.textOf(number)
      // The encoding characters divide nothing in MSH-2 itself.
      if (this.name === 'MSH' && number <= 2) return [[[field]]]
      // A message may have very many of these. To split one again costs less than to keep it.
      if (field.length <= SHORT_FIELD && !isDivided(field)) return field === '' ? EMPTY : [[[field]]]
      const read = fieldFrom(field, `${this.name}-${number}`)
      this.#read ??= new Map()
      this.#read.set(number, read)
      return read
    }

    textOf(number: number): string {
      if (this.name === 'MSH' && number === 1) return bar
      if (this.name === 'MSH' && number === 2) return encodingCharacters(delimiters)
      const bars = this.#allBars()
      // MSH-1 is the first bar itself.
      const at = this.name === 'MSH' ? number - 2 : number - 1
      const before = bars[at]
      return before === undefined ? '' : text.slice(before + 1, bars[at + 1] ?? this.#end)
    }

    /** A getter, so that a copy of the segment with other fields does not have it. */
    get source(): ReadSegment['source'] {
      return source
    }

    get texts(): readonly string[] {
      return Array.from({ length: this.#count }, (_, index) => this.textOf(index + 1))
    }

    get #count(): number {
      return this.#allBars().length + (this.name === 'MSH' ? 1 : 0)
    }

    #allBars(): number[] {
      if (this.#bars !== null) return this.#bars
      const line = text.slice(this.#start, this.#end)
      if (countIn(line, bar, HL7_LIMITS.fields) > HL7_LIMITS.fields) throw tooMany(this.name, 'fields')
      const bars: number[] = []
      for (let at = line.indexOf(bar); at >= 0; at = line.indexOf(bar, at + 1)) bars.push(this.#start + at)
      if (line.length > SHORT_SEGMENT) this.#bars = bars
      return bars
    }
  }

  return (name: string, start: number, end: number): ReadSegment => new SegmentInText(name, start, end)
}
