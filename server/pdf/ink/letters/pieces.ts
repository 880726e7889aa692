/** Cuts a line into pieces of one font and one direction, in the order in which they are on the page. Pure. */
import bidiFactory from 'bidi-js'
import type { Face } from './face.ts'

export interface Piece {
  /** In the order in which it is read. */
  text: string
  face: Face
  isRightToLeft: boolean
}

// Its declarations take it for an ES module, which Node.js does not.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)()
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Returns the pieces from left to right. The line runs from left to right, as in the pages, and words of right-to-left scripts are
 * in it by the bidirectional algorithm of Unicode. choice: Direction of ink
 * @param line as `inkText` returns it
 * @param faces the preferred first
 */
export function piecesOf(line: string, faces: readonly Face[]): Piece[] {
  const [preferred] = faces
  if (preferred && isPlain(line, preferred)) return [{ text: line, face: preferred, isRightToLeft: false }]
  const { levels } = bidi.getEmbeddingLevels(line, 'ltr')
  const pieces: (Piece & { level: number })[] = []
  let at = 0
  for (const { text, face } of [...graphemes.segment(line)].flatMap(({ segment }) => facesFor(segment, faces))) {
    const level = levels[at]!
    const last = pieces.at(-1)
    if (last && last.face === face && last.level === level) last.text += text
    else pieces.push({ text, face, level, isRightToLeft: level % 2 === 1 })
    at += text.length
  }
  return inVisualOrder(pieces)
}

/** Letters that are alone, from left to right, in one font: most lines are nothing else, and need no look at the rules of scripts. */
const isPlain = (line: string, { characters }: Face): boolean =>
  LATIN.test(line) && [...line].every((character) => hasIt(characters, character))

const LATIN = /^[ -~\u00a0-\u00ac\u00ae-\u024f\u2010-\u2015\u2018-\u2026]+$/

/** Keeps each grapheme in one font, where there is one that has all of it. */
function facesFor(segment: string, faces: readonly Face[]): { text: string; face: Face }[] {
  const face = faces.find(({ characters }) => [...segment].every((part) => isJoiner(part) || hasIt(characters, part)))
  if (face) return [{ text: segment, face }]
  return [...segment].map((text) => ({ text, face: faceFor(text, faces) }))
}

function faceFor(character: string, faces: readonly Face[]): Face {
  const face = faces.find(({ characters }) => isJoiner(character) || hasIt(characters, character))
  if (!face) throw new RangeError(`no font has U+${character.codePointAt(0)!.toString(16)}`)
  return face
}

const hasIt = (characters: ReadonlySet<number>, character: string) => characters.has(character.codePointAt(0)!)

const isJoiner = (character: string) => character === '\u200c' || character === '\u200d'

/** Turns around each stretch of pieces that is embedded as deep as this or deeper, from the deepest on. */
function inVisualOrder<T extends { level: number }>(pieces: readonly T[]): T[] {
  const ordered = [...pieces]
  for (let depth = Math.max(0, ...pieces.map(({ level }) => level)); depth > 0; depth--) {
    for (let start = 0; start < ordered.length; start++) {
      let end = start
      while (end < ordered.length && ordered[end]!.level >= depth) end++
      if (end > start) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse())
      start = end
    }
  }
  return ordered
}
