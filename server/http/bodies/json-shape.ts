/**
 * Tells whether JSON has a shape that may be parsed. Looks at the bytes before the parser does, because a few megabytes of
 * brackets become gigabytes of objects. Pure; does not find out whether the JSON is well-formed.
 */

import type { Quoted } from './long-texts.ts'

/** `patient.names[0].given[0]` is five deep; the largest body of the contract has some ten thousand values. */
const LIMITS = { maxDepth: 32, maxValues: 50_000 }

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c

/**
 * Returns what is wrong, or null.
 *
 * @param onText told where each text begins and ends, keys included; called for texts that end only
 */
export function jsonShapeProblem(
  json: Buffer,
  { maxDepth, maxValues } = LIMITS,
  onText: (quoted: Quoted) => void = () => {},
): string | null {
  let depth = 0
  let values = 1
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTE) {
      const start = at
      at = endOfString(json, start)
      if (at < json.length) onText({ start, end: at })
    } else if (isOpening(byte)) {
      depth++
      values++
      if (depth > maxDepth) return `nested more than ${maxDepth} deep`
    } else if (isClosing(byte)) depth--
    else if (byte === COMMA) values++
    if (values > maxValues) return `more than ${maxValues} values`
  }
  return null
}

const isOpening = (byte: number | undefined) => byte === 0x5b || byte === 0x7b
const isClosing = (byte: number | undefined) => byte === 0x5d || byte === 0x7d

/** Returns where the string that begins at `start` ends. A document is a string of megabytes: it is searched, not walked. */
function endOfString(json: Buffer, start: number): number {
  for (let at = start; ; ) {
    at = json.indexOf(QUOTE, at + 1)
    if (at < 0) return json.length
    let backslashes = 0
    while (json[at - 1 - backslashes] === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return at
  }
}
