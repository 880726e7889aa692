/**
 * Where each glyph of a page is: a replay of its text operators. Knows no PDF syntax, because the content reader
 * (`content-reader.ts`) lists the operators decoded. Draws nothing.
 */
import type { Matrix } from '../../matrix.ts'
import type { FontExtents } from '../font-extents.ts'
import type { Glyph } from './glyph.ts'
import type { OperatorList, ReaderFont } from './operator-list.ts'
import { type Replay, startReplay } from './replay.ts'
import { type OperatorNumbers, type TextOperator, textOperators } from './text-operators.ts'

type Meaning = (replay: Replay, ...operands: never[]) => void

/**
 * Returns the glyphs in the order in which they are written.
 * @param view from user space to the displayed page.
 */
export function replayGlyphs(
  { operators, operands }: OperatorList,
  numbers: OperatorNumbers,
  view: Matrix,
  fontNamed: (name: string) => ReaderFont | null,
  extents: FontExtents,
): Glyph[] {
  const replay = startReplay(view, fontNamed, extents)
  const names = Object.keys(textOperators) as TextOperator[]
  const meanings = new Map<number, Meaning>(names.map((name) => [numbers[name], textOperators[name] as Meaning]))
  operators.forEach((operator, i) => {
    meanings.get(operator)?.(replay, ...((operands[i] ?? []) as never[]))
  })
  return replay.glyphs
}
