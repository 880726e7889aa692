/** Finds a phrase among the glyphs of one page. Pure: glyphs in, hits out. Compares folded text only (fold.ts). */

import { type Box, boxAround, type PageSize } from '../geometry.ts'
import { fold, foldWithoutHyphens, isRightToLeft, reversed } from './fold.ts'
import type { Glyph } from './glyphs/glyph.ts'
import { linesOf, withoutDoubles } from './lines.ts'

/** A place where the wanted text is. */
export interface Hit {
  /** Counted from 1. */
  page: number
  /** Around all of its glyphs; of a text that wraps, around those on its first line. */
  box: Box
  /** Around the glyphs of each of its lines; the first is `box`. */
  lines: readonly Box[]
  /** Size of one em of its first glyph, in points. */
  em: number
  /** White space is where the needle has it, and nowhere else: "to day" is an inexact find of "today". */
  isExact: boolean
}

/** The kind of text to search for. A token is ours; a phrase is the sender's, and may be in form fields and annotations too. */
export type NeedleKind = 'token' | 'phrase'

/** ToUnicode may map one glyph to a whole phrase; a token read off such a glyph would be an invention. */
const LONGEST_TOKEN_GLYPH = 4

const isShort = (text: string): boolean => text.length <= LONGEST_TOKEN_GLYPH || [...text].length <= LONGEST_TOKEN_GLYPH

/** Prepares a page, so that it can be searched for any number of needles. Returns the search. */
export function searcher(all: readonly Glyph[], size: PageSize, kind: NeedleKind) {
  const glyphs = all.filter((glyph) => isOnPage(glyph, size) && (kind === 'phrase' || isShort(glyph.text)))
  const asWritten = indexed(glyphs)
  let byLine: Indexed[] | undefined
  let single: Indexed | undefined
  let bare: Indexed | undefined

  /** @param isThorough also look along the lines of the page, for text that was written out of order or doubled. */
  return (needle: string, isThorough: boolean): Omit<Hit, 'page'>[] => {
    const wanted = wantedIn(needle, fold)
    if (wanted.text === '') return []
    const hits: Omit<Hit, 'page'>[] = []
    const add = (more: readonly Omit<Hit, 'page'>[]) => {
      for (const hit of more) if (!hits.some((known) => isSamePlace(known, hit))) hits.push(hit)
    }
    add(find(asWritten, wanted, false))
    if (isRightToLeft(wanted.text)) add(find(asWritten, { ...wanted, text: reversed(wanted.text) }, true))
    if (!isThorough) return hits
    // Text printed twice for boldness is two hits at one place; only text doubled glyph by glyph needs thinning first.
    single ??= indexed(withoutDoubles(glyphs))
    if (hits.length === 0) add(find(single, wanted, false))
    byLine ??= linesOf(single.glyphs).map((line) => indexed(line))
    for (const line of byLine) add(find(line, wanted, false))
    if (hits.length === 0) {
      bare ??= indexed(single.glyphs, foldWithoutHyphens)
      const bareNeedle = wantedIn(needle, foldWithoutHyphens)
      if (bareNeedle.text !== '') add(find(bare, bareNeedle, false))
    }
    return hits
  }
}

/** A gap of this many em looks like a space. */
const VISIBLE_GAP = 0.15

interface Needle {
  /** Folded. */
  text: string
  /** Places in the folded text before which the needle has white space. */
  spaces: ReadonlySet<number>
}

const wantedIn = (needle: string, folding: Folding): Needle => ({
  text: folding(needle),
  spaces: spacesIn(needle, folding),
})

type Folding = typeof fold

function spacesIn(needle: string, folding: Folding): Set<number> {
  const words = needle.trim().split(/\s+/)
  const spaces = new Set<number>()
  let length = 0
  for (const word of words) {
    spaces.add(length)
    length += folding(word).length
  }
  return spaces
}

interface Indexed {
  glyphs: readonly Glyph[]
  text: string
  /** The place in the text where each glyph begins, and after the last one its end. */
  starts: readonly number[]
  folding: Folding
}

function indexed(glyphs: readonly Glyph[], folding: Folding = fold): Indexed {
  const starts = [0]
  let text = ''
  for (const glyph of glyphs) {
    text += folding(glyph.text)
    starts.push(text.length)
  }
  return { glyphs, text, starts, folding }
}

/** Returns the glyph that a character of the text belongs to. */
function glyphAt({ starts }: Indexed, character: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (starts[middle + 1]! <= character) low = middle + 1
    else high = middle
  }
  return low
}

function find(page: Indexed, wanted: Needle, backwards: boolean): Omit<Hit, 'page'>[] {
  const { glyphs, text, starts, folding } = page
  const { text: needle } = wanted
  const hits: Omit<Hit, 'page'>[] = []
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
    const from = glyphAt(page, at)
    const to = glyphAt(page, at + needle.length - 1)
    const within = at - starts[from]!
    const length = starts[from + 1]! - starts[from]!
    const run = glyphs.slice(from, to + 1).filter((glyph) => folding(glyph.text) !== '')
    const breaks = run.flatMap((glyph, i) => (i > 0 && !isNeighbour(run[i - 1]!, glyph, backwards) ? [i] : []))
    if (!breaks.every((i) => wraps(run[i - 1]!, run[i]!))) continue
    const lines = [0, ...breaks].map((start, i) => around(run.slice(start, breaks[i])))
    const box = lines[0]!
    const first = run[0]!
    // The match may start inside a ligature; its share of the ligature's advance is skipped.
    const skipped = ((first.end[0] - first.origin[0]) * within) / length
    const isLevel = Math.abs(first.end[1] - first.origin[1]) < 1e-3
    if (within > 0 && skipped > 0 && isLevel) box.left = Math.max(box.left, first.origin[0] + skipped)
    hits.push({ box, lines, em: first.em, isExact: isExactAt(page, wanted, at) })
  }
  return hits
}

/** Whether the text that begins there has white space where the needle has it. */
function isExactAt(page: Indexed, { text, spaces }: Needle, at: number): boolean {
  let before = glyphAt(page, at)
  for (let i = 1; i < text.length; i++) {
    const glyph = glyphAt(page, at + i)
    if (glyph !== before && isSpaced(page.glyphs, before, glyph) !== spaces.has(i)) return false
    before = glyph
  }
  return true
}

const around = (glyphs: readonly Glyph[]): Box => boxAround(glyphs.flatMap(({ corners }) => corners))

/** Returns how far `to` starts from where `from` ends, along and across the direction in which `from` is written, in em. */
function gap(from: Glyph, to: Glyph): { along: number; across: number; em: number } {
  // In the smaller of two, so that a letter of a heading does not reach across the page.
  const em = Math.max(Math.min(from.em, to.em), 1)
  const [ax, ay] = [from.end[0] - from.origin[0], from.end[1] - from.origin[1]]
  const length = Math.hypot(ax, ay) || 1
  const [dx, dy] = [to.origin[0] - from.end[0], to.origin[1] - from.end[1]]
  return { along: (dx * ax + dy * ay) / length / em, across: (dy * ax - dx * ay) / length / em, em }
}

/** Whether `to` may follow `from` in one line of a phrase. The limits leave room for kerning and letter spacing. */
function isNeighbour(from: Glyph, to: Glyph, backwards: boolean): boolean {
  if (!isSimilarSize(from, to)) return false
  const near = ({ along, across }: { along: number; across: number }) =>
    along > -0.8 && along < 1.6 && Math.abs(across) < 0.6
  return near(gap(from, to)) || (backwards && near(gap(to, from)))
}

/** Letters of very different sizes belong to different texts. */
const isSimilarSize = (a: Glyph, b: Glyph): boolean => Math.max(a.em, b.em) <= 1.5 * Math.min(a.em, b.em)

/** Whether a person sees white space between these two. */
function isSpaced(glyphs: readonly Glyph[], from: number, to: number): boolean {
  const between = glyphs.slice(from + 1, to)
  if (between.some((glyph) => /\s/.test(glyph.text))) return true
  return !isNeighbour(glyphs[from]!, glyphs[to]!, false) || gap(glyphs[from]!, glyphs[to]!).along > VISIBLE_GAP
}

/** Whether `to` starts the line below the one that ends with `from`. The cell of a table may be narrow. */
function wraps(from: Glyph, to: Glyph): boolean {
  const { along, across } = gap(from, to)
  return isSimilarSize(from, to) && across > 0.6 && across < 3 && along < 0.5
}

/** A glyph that starts and ends off the page is not on it, though its operators are. */
function isOnPage({ origin, end }: Glyph, { width, height }: PageSize): boolean {
  const [left, right] = [Math.min(origin[0], end[0]), Math.max(origin[0], end[0])]
  const [top, bottom] = [Math.min(origin[1], end[1]), Math.max(origin[1], end[1])]
  return right > -1 && left < width + 1 && bottom > -1 && top < height + 1
}

function isSamePlace(a: Omit<Hit, 'page'>, b: Omit<Hit, 'page'>): boolean {
  const near = Math.max(1, 0.15 * b.em)
  return Math.abs(a.box.left - b.box.left) < near && Math.abs(a.box.top - b.box.top) < near
}
