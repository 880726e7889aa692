/** Fits a line with names into its place: wraps and shrinks it while it is legible, then shortens the names, then says less. Pure. */
import { type FittedText, fitText, type Room } from './fit-text.ts'

export interface NameRoom extends Room {
  /** The smallest size that is legible. Only a room that is too small for anything gets a smaller one. choice: Long names in ink */
  minSize: number
}

/** Makes a text of names, which may be shortened. */
export type Sentence = (names: readonly string[]) => string

const LOWEST_LINE = 1.2

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * The lines, in the largest size that the room allows. A name of which a part was omitted ends with `…`.
 * @param sentences the one that says most first; the last one is written where none is legible
 * @param measure the width of a text at size 1
 */
export function fitNames(
  names: readonly string[],
  sentences: readonly [Sentence, ...Sentence[]],
  room: NameRoom,
  measure: (text: string) => number,
): FittedText {
  const smallest = Math.min(room.minSize, room.height / LOWEST_LINE)
  const parts = names.map((name) => [...graphemes.segment(name)].map(({ segment }) => segment))
  const longest = Math.max(0, ...parts.map(({ length }) => length))
  const fitted = (sentence: Sentence, length: number) =>
    fitLargest(sentence(parts.map((name) => shortened(name, length))), room, measure)
  for (const sentence of sentences) {
    const isLegible = (length: number) => fitted(sentence, length).size >= smallest
    if (isLegible(longest)) return fitted(sentence, longest)
    let [fits, tooLong] = [0, longest]
    while (tooLong - fits > 1) {
      const middle = (fits + tooLong) >> 1
      if (isLegible(middle)) fits = middle
      else tooLong = middle
    }
    if (fits > 0) return fitted(sentence, fits)
  }
  return fitted(sentences.at(-1)!, 1)
}

const shortened = (name: readonly string[], length: number): string =>
  name.length <= length ? name.join('') : `${name.slice(0, length).join('').trimEnd()}…`

/** In one line as high as the room, or in several where that makes it larger. */
function fitLargest(text: string, room: Room, measure: (text: string) => number): FittedText {
  const { width, height, maxSize } = room
  const size = Math.min(maxSize, height / LOWEST_LINE, width / Math.max(measure(text), 1e-6))
  const wrapped = fitText(text, room, measure)
  return wrapped.size > size ? wrapped : { lines: [text], size, lineHeight: LOWEST_LINE * size }
}
