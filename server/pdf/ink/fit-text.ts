/** Breaks a text into lines and picks the largest size at which it fits a box. Pure: widths come in as a function. */

export interface FittedText {
  lines: string[]
  size: number
  /** The distance from one baseline to the next, in points. */
  lineHeight: number
}

export interface Room {
  /** In points. */
  width: number
  height: number
  /** Size to start from; the text only ever shrinks. */
  maxSize: number
}

const LEADING = 1.25
/** Each step is 4 % smaller: too fine to be seen, and yet shrinking a thousandfold takes fewer than 200 steps. */
const STEP = 0.96

/**
 * The lines of the text, and the largest size at which all of them fit the room.
 * @param measure the width of a text at size 1; called once for each text, because measuring costs more than breaking
 */
export function fitText(text: string, { width, height, maxSize }: Room, measure: (text: string) => number): FittedText {
  const widths = new Map<string, number>()
  const widthOf = (part: string): number => {
    const known = widths.get(part) ?? measure(part)
    widths.set(part, known)
    return known
  }
  let size = maxSize
  // Most texts need no break; they are measured once as a whole, and not word by word.
  const isOneLine = !text.includes('\n') && LEADING * size <= height && widthOf(text) * size <= width
  if (isOneLine) return { lines: [text], size, lineHeight: LEADING * size }
  for (;;) {
    const lines = breakLines(text, width / size, widthOf)
    // Lines are measured whole, because kerning may make a line wider than the sum of its words.
    const isLowEnough = lines.length * LEADING * size <= height
    if (isLowEnough && lines.every((line) => widthOf(line) * size <= width + 1e-6)) {
      return { lines, size, lineHeight: LEADING * size }
    }
    size *= STEP
  }
}

function breakLines(text: string, width: number, widthOf: (text: string) => number): string[] {
  const space = widthOf(' ')
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = []
    let words: string[] = []
    let used = 0
    for (const word of paragraph.split(' ')) {
      const needed = widthOf(word)
      if (words.length > 0 && used + space + needed > width) {
        lines.push(words.join(' '))
        words = []
      }
      if (words.length > 0) {
        words.push(word)
        used += space + needed
        continue
      }
      const parts = needed <= width ? [word] : breakWord(word, width, widthOf)
      lines.push(...parts.slice(0, -1))
      words = parts.slice(-1)
      used = widthOf(words[0]!)
    }
    return [...lines, words.join(' ')]
  })
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** A word wider than the box is cut between what people take for characters, with at least one of them on a line. */
function breakWord(word: string, width: number, widthOf: (text: string) => number): string[] {
  const parts: string[] = []
  let part = ''
  let used = 0
  for (const { segment } of graphemes.segment(word)) {
    const needed = widthOf(segment)
    if (part !== '' && used + needed > width) {
      parts.push(part)
      part = ''
      used = 0
    }
    part += segment
    used += needed
  }
  return [...parts, part]
}
