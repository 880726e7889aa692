/** Fits a line with a name into its place: wraps and shrinks it while it is legible, and then shortens the name. Pure. */
import { type FittedText, fitText, type Room } from './fit-text.ts'

export interface NameRoom extends Room {
  /** The smallest size that is legible. Only a room that is lower than such a line gets a smaller one. choice: Long names in ink */
  minSize: number
}

const LOWEST_LINE = 1.2

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * The lines, in the largest size that the room allows. A name of which a part was left out ends with `…`.
 * @param sentence what is written of a name
 * @param measure the width of a text at size 1
 */
export function fitName(
  name: string,
  sentence: (name: string) => string,
  room: NameRoom,
  measure: (text: string) => number,
): FittedText {
  const smallest = Math.min(room.minSize, room.height / LOWEST_LINE)
  const fitted = (shown: string) => fitLargest(sentence(shown), room, measure)
  const whole = fitted(name)
  if (whole.size >= smallest) return whole
  const parts = [...graphemes.segment(name)].map(({ segment }) => segment)
  const shortened = (length: number) => `${parts.slice(0, length).join('').trimEnd()}…`
  let [fits, tooLong] = [0, parts.length]
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1
    if (fitted(shortened(middle)).size >= smallest) fits = middle
    else tooLong = middle
  }
  return fits > 0 ? fitted(shortened(fits)) : whole
}

/** In one line as high as the room, or in several where that makes it larger. */
function fitLargest(text: string, room: Room, measure: (text: string) => number): FittedText {
  const { width, height, maxSize } = room
  const size = Math.min(maxSize, height / LOWEST_LINE, width / Math.max(measure(text), 1e-6))
  const wrapped = fitText(text, room, measure)
  return wrapped.size > size ? wrapped : { lines: [text], size, lineHeight: LOWEST_LINE * size }
}
