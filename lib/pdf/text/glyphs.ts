/**
 * Where each glyph of a page stands: a replay of the text operators of a page. Knows no PDF syntax; the operator list comes
 * decoded from the content reader (text.ts), which also names the operators. Draws nothing, skips what is not text.
 */

import type { Point } from '../geometry.ts'
import { apply, identity, type Matrix, multiply, shift } from '../matrix.ts'
import { fold } from './fold.ts'
import type { Extent, FontExtents } from './font-extents.ts'

/** A glyph on the displayed page. */
export interface Glyph {
  text: string
  /** Four corners of its box: font extent by advance width. */
  corners: readonly Point[]
  /** Where its advance starts and ends, on the baseline. */
  origin: Point
  end: Point
  /** Size of one em as displayed. */
  em: number
}

/** A font as the content reader describes it. */
export interface ReaderFont {
  name: string
  vertical: boolean
  type3: boolean
  matrix: readonly number[]
  bbox: readonly number[] | undefined
}

export interface OperatorList {
  operators: readonly number[]
  operands: readonly unknown[]
}

/** The numbers under which the content reader lists the operators that move text. */
export type OperatorNumbers = Readonly<Record<OperatorName, number>>
export type OperatorName = keyof ReturnType<typeof interpreter>

/** A glyph as the content reader lists it; a number between glyphs moves back by thousandths of the size. */
interface ListedGlyph {
  unicode?: string
  width: number
  isSpace?: boolean
  vmetric?: readonly [number, number, number]
}

/** Part of the graphics state: saved and restored with it. */
interface State {
  ctm: Matrix
  font: ReaderFont | null
  size: number
  charSpace: number
  wordSpace: number
  scale: number
  rise: number
  leading: number
}

const freshState = (ctm: Matrix): State => ({
  ctm,
  font: null,
  size: 0,
  charSpace: 0,
  wordSpace: 0,
  scale: 1,
  rise: 0,
  leading: 0,
})

/** @param view from user space to the displayed page. */
export function replayGlyphs(
  list: OperatorList,
  numbers: OperatorNumbers,
  view: Matrix,
  fontNamed: (name: string) => ReaderFont | null,
  extents: FontExtents,
): Glyph[] {
  const glyphs: Glyph[] = []
  const meanings = interpreter(glyphs, view, fontNamed, extents)
  const byNumber = new Map<number, (...operands: never[]) => void>()
  for (const name of Object.keys(meanings) as OperatorName[])
    byNumber.set(numbers[name], meanings[name] as (...operands: never[]) => void)
  list.operators.forEach((operator, i) => {
    byNumber.get(operator)?.(...((list.operands[i] ?? []) as never[]))
  })
  return glyphs
}

function interpreter(
  glyphs: Glyph[],
  view: Matrix,
  fontNamed: (name: string) => ReaderFont | null,
  extents: FontExtents,
) {
  const saved: State[] = []
  let state = freshState(identity)
  // The text matrices are no part of the graphics state: q and Q leave them alone.
  let text = identity
  let line = identity

  const save = () => {
    saved.push({ ...state })
  }
  const restore = () => {
    state = saved.pop() ?? state
  }
  const moveText = (x: number, y: number) => {
    line = multiply(line, shift(x, y))
    text = line
  }
  const nextLine = () => moveText(0, state.leading)
  const showText = (shown: readonly (ListedGlyph | number | null)[]) => {
    const { font, size, scale, rise } = state
    if (!font || !Array.isArray(shown)) return
    const unit = size * (font.matrix[0] ?? 0.001)
    const extent = extentOf(font, extents)
    for (const glyph of shown) {
      if (glyph === null) continue
      if (typeof glyph === 'number') {
        const back = (-glyph / 1000) * size
        text = multiply(text, font.vertical ? shift(0, back) : shift(back * scale, 0))
        continue
      }
      const space = state.charSpace + (glyph.isSpace ? state.wordSpace : 0)
      const advance = layOut(glyph, font.vertical, unit, space, scale)
      const onPage = multiply(view, multiply(state.ctm, text))
      const { left, right, step } = advance
      const base = rise + advance.base
      const [top, bottom] = [base + extent[0] * size, base + extent[1] * size]
      glyphs.push({
        text: glyph.unicode ?? '',
        corners: [
          apply(onPage, left, top),
          apply(onPage, right, top),
          apply(onPage, right, bottom),
          apply(onPage, left, bottom),
        ],
        origin: apply(onPage, 0, rise),
        end: font.vertical ? apply(onPage, 0, rise + step[1]) : apply(onPage, right, rise),
        em: Math.abs(size) * Math.hypot(onPage[2], onPage[3]),
      })
      text = multiply(text, shift(step[0], step[1]))
    }
  }

  return {
    save,
    restore,
    transform: (...matrix: [number, number, number, number, number, number]) => {
      state.ctm = multiply(state.ctm, matrix)
    },
    paintFormXObjectBegin: (matrix: Matrix | null) => {
      save()
      if (matrix) state.ctm = multiply(state.ctm, matrix)
    },
    paintFormXObjectEnd: restore,
    beginAnnotation: (_id: string, _rect: unknown, transform: Matrix | null, matrix: Matrix | null) => {
      save()
      state = freshState(multiply(transform ?? identity, matrix ?? identity))
    },
    endAnnotation: restore,
    setFont: (name: string, size: number) => {
      state.font = fontNamed(name)
      state.size = size
    },
    setGState: (entries: readonly (readonly [string, readonly [string, number]])[] | null) => {
      for (const [key, value] of entries ?? []) {
        if (key !== 'Font') continue
        state.font = fontNamed(value[0])
        state.size = value[1]
      }
    },
    setCharSpacing: (value: number) => {
      state.charSpace = value
    },
    setWordSpacing: (value: number) => {
      state.wordSpace = value
    },
    setHScale: (percent: number) => {
      state.scale = percent / 100
    },
    setLeading: (value: number) => {
      state.leading = -value
    },
    setTextRise: (value: number) => {
      state.rise = value
    },
    beginText: () => {
      text = identity
      line = identity
    },
    moveText,
    setLeadingMoveText: (x: number, y: number) => {
      state.leading = y
      moveText(x, y)
    },
    setTextMatrix: (...matrix: [Matrix] | [number, number, number, number, number, number]) => {
      const [a, b, c, d, e, f] = matrix.length === 1 ? matrix[0] : matrix
      line = [a, b, c, d, e, f]
      text = line
    },
    nextLine,
    showText,
    nextLineShowText: (shown: readonly (ListedGlyph | number | null)[]) => {
      nextLine()
      showText(shown)
    },
    nextLineSetSpacingShowText: (word: number, char: number, shown: readonly (ListedGlyph | number | null)[]) => {
      state.wordSpace = word
      state.charSpace = char
      nextLine()
      showText(shown)
    },
  }
}

/** The box of a glyph and the way to the next one, in text space. */
interface Advance {
  left: number
  right: number
  base: number
  step: readonly [x: number, y: number]
}

/**
 * The characters a page shows anywhere, folded. A page that lacks one of a needle's characters cannot hold the needle, and
 * knowing that is much cheaper than knowing where each glyph stands.
 */
export function lettersOf({ operators, operands }: OperatorList, numbers: OperatorNumbers): ReadonlySet<string> {
  const shows = new Set([numbers.showText, numbers.nextLineShowText, numbers.nextLineSetSpacingShowText])
  const letters = new Set<string>()
  operators.forEach((operator, i) => {
    const shown = shows.has(operator) ? (operands[i] as unknown[]).at(-1) : null
    if (!Array.isArray(shown)) return
    for (const glyph of shown as (ListedGlyph | number | null)[]) {
      if (glyph === null || typeof glyph === 'number') continue
      for (const letter of fold(glyph.unicode ?? '')) letters.add(letter)
    }
  })
  return letters
}

/** Box and advance of one glyph. ISO 32000-1, 9.4.4 and, for vertical writing, 9.7.4.3. */
function layOut(glyph: ListedGlyph, vertical: boolean, unit: number, space: number, scale: number): Advance {
  const width = glyph.width * unit
  if (!vertical) return { left: 0, right: width * scale, base: 0, step: [(width + space) * scale, 0] }
  const [w1, vx, vy] = glyph.vmetric ?? [-1000, glyph.width / 2, 880]
  const left = -vx * unit
  return { left, right: left + width, base: -vy * unit, step: [0, w1 * unit + space] }
}

function extentOf(font: ReaderFont, extents: FontExtents): Extent {
  if (!font.type3) return extents(font.name)
  const [, low = 0, , high = 0] = font.bbox ?? []
  const unit = font.matrix[3] ?? 0.001
  return high > low ? [high * unit, low * unit] : [0.75, -0.25]
}
