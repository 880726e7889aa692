/** Breaks a text into lines and picks the largest size at which it fits a box. Pure: widths come in as a function. */

export interface FittedText {
  lines: string[]
  size: number
  /** From one baseline to the next, in points. */
  lineHeight: number
}

export interface Room {
  width: number
  height: number
  /** Size to start from; the text only ever shrinks. */
  maxSize: number
}

const LEADING = 1.25
/** Each step is 4 % smaller: finer than one sees, and a thousandfold shrink still takes fewer than 200 steps. */
const STEP = 0.96

/** @param widthAt1 the width of a text at size 1. */
export function fitText(
  text: string,
  { width, height, maxSize }: Room,
  widthAt1: (text: string) => number,
): FittedText {
  let size = maxSize
  for (;;) {
    const lines = breakLines(text, width / size, widthAt1)
    const fits = lines.length * LEADING * size <= height && lines.every((line) => widthAt1(line) * size <= width + 1e-6)
    if (fits) return { lines, size, lineHeight: LEADING * size }
    size *= STEP
  }
}

function breakLines(text: string, width: number, widthAt1: (text: string) => number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = []
    let line = ''
    for (const word of paragraph.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`
      if (widthAt1(longer) <= width) {
        line = longer
        continue
      }
      if (line !== '') lines.push(line)
      const parts = widthAt1(word) <= width ? [word] : breakWord(word, width, widthAt1)
      line = parts.pop() ?? ''
      lines.push(...parts)
    }
    return [...lines, line]
  })
}

/** A word wider than the box is cut, at least one character to a line. */
function breakWord(word: string, width: number, widthAt1: (text: string) => number): string[] {
  const parts: string[] = []
  let part = ''
  for (const character of word) {
    if (part !== '' && widthAt1(part + character) > width) {
      parts.push(part)
      part = ''
    }
    part += character
  }
  return [...parts, part]
}
