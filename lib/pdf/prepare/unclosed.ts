/** Counts what a content stream begins and never ends. Pure, over bytes; knows of strings, comments and pictures in the content. */

export interface Unclosed {
  /** Graphics states that are saved and never restored. */
  saves: number
  /** Sequences of marked content. */
  marks: number
}

export function unclosedIn(content: Uint8Array): Unclosed {
  let saves = 0
  let marks = 0
  for (let at = 0; at < content.length; ) {
    const byte = content[at]!
    if (byte === PERCENT) at = endOfLine(content, at)
    else if (byte === OPENING) at = endOfString(content, at)
    else if (byte === LESS && content[at + 1] !== LESS) at = after(content, GREATER, at)
    else if (isRegular(byte) || byte === SLASH) {
      const end = endOfToken(content, at + 1)
      const token = end - at > 3 ? '' : String.fromCharCode(...content.subarray(at, end))
      if (token === 'q') saves++
      else if (token === 'Q' && saves > 0) saves--
      else if (token === 'BMC' || token === 'BDC') marks++
      else if (token === 'EMC' && marks > 0) marks--
      at = token === 'BI' ? endOfPicture(content, end) : end
    } else at++
  }
  return { saves, marks }
}

const PERCENT = 0x25
const OPENING = 0x28
const CLOSING = 0x29
const SLASH = 0x2f
const LESS = 0x3c
const GREATER = 0x3e
const BACKSLASH = 0x5c
const DELIMITERS = new Set([PERCENT, OPENING, CLOSING, SLASH, LESS, GREATER, 0x5b, 0x5d, 0x7b, 0x7d])
const WHITE_SPACE = new Set([0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20])

const isRegular = (byte: number): boolean => !DELIMITERS.has(byte) && !WHITE_SPACE.has(byte)

function endOfToken(content: Uint8Array, from: number): number {
  let at = from
  while (at < content.length && isRegular(content[at]!)) at++
  return at
}

function after(content: Uint8Array, byte: number, from: number): number {
  const found = content.indexOf(byte, from)
  return found < 0 ? content.length : found + 1
}

function endOfLine(content: Uint8Array, from: number): number {
  let at = from
  while (at < content.length && content[at] !== 0x0a && content[at] !== 0x0d) at++
  return at
}

function endOfString(content: Uint8Array, from: number): number {
  let depth = 0
  for (let at = from; at < content.length; at++) {
    const byte = content[at]
    if (byte === BACKSLASH) at++
    else if (byte === OPENING) depth++
    else if (byte === CLOSING && --depth === 0) return at + 1
  }
  return content.length
}

/** The data of a picture in the content may hold any bytes; it ends where EI is alone. */
function endOfPicture(content: Uint8Array, from: number): number {
  const isAlone = (at: number, first: number, second: number) =>
    content[at] === first &&
    content[at + 1] === second &&
    WHITE_SPACE.has(content[at - 1]!) &&
    (at + 2 >= content.length || WHITE_SPACE.has(content[at + 2]!))
  let at = from
  while (at < content.length && !isAlone(at, 0x49, 0x44)) at++
  while (at < content.length && !isAlone(at, 0x45, 0x49)) at++
  return Math.min(at + 2, content.length)
}
