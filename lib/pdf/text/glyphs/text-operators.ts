/** The effect of each text operator, one row each; the other operators do not matter to the text. ISO 32000-1, 9.4. */
import { identity, type Matrix, multiply, shift } from '../../matrix.ts'
import type { ShownText } from './operator-list.ts'
import { freshState, type Replay } from './replay.ts'
import { showText } from './show-text.ts'

type SixNumbers = [number, number, number, number, number, number]

/** The text operators by the names under which the content reader numbers them; the replay gets the operands as it lists them. */
export const textOperators = {
  save,
  restore,
  transform: ({ state }: Replay, ...matrix: SixNumbers) => {
    state.ctm = multiply(state.ctm, matrix)
  },
  paintFormXObjectBegin: (replay: Replay, matrix: Matrix | null) => {
    save(replay)
    if (matrix) replay.state.ctm = multiply(replay.state.ctm, matrix)
  },
  paintFormXObjectEnd: restore,
  beginAnnotation: (
    replay: Replay,
    _id: string,
    _rectangle: unknown,
    transform: Matrix | null,
    matrix: Matrix | null,
  ) => {
    save(replay)
    replay.state = freshState(multiply(transform ?? identity, matrix ?? identity))
  },
  endAnnotation: restore,
  setFont,
  setGState: (replay: Replay, entries: readonly (readonly [string, readonly [string, number]])[] | null) => {
    for (const [key, value] of entries ?? []) if (key === 'Font') setFont(replay, value[0], value[1])
  },
  setCharSpacing: ({ state }: Replay, space: number) => {
    state.charSpace = space
  },
  setWordSpacing: ({ state }: Replay, space: number) => {
    state.wordSpace = space
  },
  setHScale: ({ state }: Replay, percent: number) => {
    state.scale = percent / 100
  },
  setLeading: ({ state }: Replay, leading: number) => {
    state.leading = -leading
  },
  setTextRise: ({ state }: Replay, rise: number) => {
    state.rise = rise
  },
  beginText: (replay: Replay) => setTextMatrix(replay, identity),
  moveText,
  setLeadingMoveText: (replay: Replay, x: number, y: number) => {
    replay.state.leading = y
    moveText(replay, x, y)
  },
  setTextMatrix: (replay: Replay, ...matrix: [Matrix] | SixNumbers) => {
    const [a, b, c, d, e, f] = matrix.length === 1 ? matrix[0] : matrix
    setTextMatrix(replay, [a, b, c, d, e, f])
  },
  nextLine,
  showText,
  nextLineShowText: (replay: Replay, shown: ShownText) => {
    nextLine(replay)
    showText(replay, shown)
  },
  nextLineSetSpacingShowText: (replay: Replay, wordSpace: number, charSpace: number, shown: ShownText) => {
    replay.state.wordSpace = wordSpace
    replay.state.charSpace = charSpace
    nextLine(replay)
    showText(replay, shown)
  },
}

export type TextOperator = keyof typeof textOperators

/** The numbers under which the content reader lists these operators. */
export type OperatorNumbers = Readonly<Record<TextOperator, number>>

function save({ saved, state }: Replay): void {
  saved.push({ ...state })
}

/** One restore more than there were saves changes nothing. */
function restore(replay: Replay): void {
  replay.state = replay.saved.pop() ?? replay.state
}

function setFont({ state, fontNamed }: Replay, name: string, size: number): void {
  state.font = fontNamed(name)
  state.size = size
}

function setTextMatrix(replay: Replay, matrix: Matrix): void {
  replay.line = matrix
  replay.text = matrix
}

function moveText(replay: Replay, x: number, y: number): void {
  setTextMatrix(replay, multiply(replay.line, shift(x, y)))
}

function nextLine(replay: Replay): void {
  moveText(replay, 0, replay.state.leading)
}
