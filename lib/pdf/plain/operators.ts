/**
 * The operators of a plain document: where each may be written, and with which operands. Everything that is not listed is not
 * plain. ISO 32000-1, annex A.
 */

/** On the page itself, within a text object (`BT` to `ET`), or within a path, from its first point to the operator that paints it. */
export type Place = 'page' | 'text' | 'path'

/** Numbers with the least and the most that they may be; other operands by their kind. */
export const OPERANDS = {
  // Of points, which producers write in small units. A viewer with 24 bits for a number keeps a sixteenth of a unit.
  coordinate: [-1_000_000, 1_000_000],
  offset: [-100_000, 100_000],
  factor: [-100_000, 100_000],
  unit: [0, 1],
  width: [0, 100_000],
  choice: [0, 2],
  // Beyond, the spikes of corners are as long as viewers please.
  miter: [1, 10],
  flatness: [0, 1],
  phase: [0, 100_000],
  spacing: [-1_000, 1_000],
  stretch: [1, 1_000],
  mode: [0, 3],
  size: [0.001, 2_000],
  name: 'name',
  text: 'text',
  texts: 'texts',
  dashes: 'dashes',
  properties: 'properties',
  colors: 'colors',
} as const
export type Operand = keyof typeof OPERANDS

export interface Operator {
  places: readonly Place[]
  operands: readonly Operand[]
}

const GRAMMAR: readonly (readonly [places: string, operators: string, operands: string])[] = [
  ['page', 'q Q BT', ''],
  ['page', 'cm', 'factor factor factor factor offset offset'],
  ['page', 'Do', 'name'],
  ['page path', 'm', 'coordinate coordinate'],
  ['page path', 're', 'coordinate coordinate coordinate coordinate'],
  ['path', 'l', 'coordinate coordinate'],
  ['path', 'c', 'coordinate coordinate coordinate coordinate coordinate coordinate'],
  ['path', 'v y', 'coordinate coordinate coordinate coordinate'],
  ['path', 'h W W*', ''],
  ['page path', 'S s f F f* B B* b b* n', ''],
  ['page text path', 'w', 'width'],
  ['page text path', 'J j', 'choice'],
  ['page text path', 'M', 'miter'],
  ['page text path', 'd', 'dashes phase'],
  ['page text path', 'i', 'flatness'],
  ['page text path', 'ri gs', 'name'],
  ['page text path', 'CS cs', 'name'],
  ['page text path', 'SC SCN sc scn', 'colors'],
  ['page text path', 'G g', 'unit'],
  ['page text path', 'RG rg', 'unit unit unit'],
  ['page text path', 'K k', 'unit unit unit unit'],
  ['page text', 'Tc Tw TL Ts', 'spacing'],
  ['page text', 'Tz', 'stretch'],
  ['page text', 'Tf', 'name size'],
  ['page text', 'Tr', 'mode'],
  ['page text', 'MP BMC', 'name'],
  ['page text', 'DP BDC', 'name properties'],
  ['page text', 'EMC', ''],
  ['text', 'ET T*', ''],
  ['text', 'Td TD', 'offset offset'],
  ['text', 'Tm', 'factor factor factor factor offset offset'],
  ['text', "Tj '", 'text'],
  ['text', '"', 'spacing spacing text'],
  ['text', 'TJ', 'texts'],
]

const words = <W extends string>(text: string): W[] => (text === '' ? [] : (text.split(' ') as W[]))

/** The plain operators by name. */
export const plainOperators: ReadonlyMap<string, Operator> = new Map(
  GRAMMAR.flatMap(([places, operators, operands]) =>
    words(operators).map((name): [string, Operator] => [
      name,
      { places: words<Place>(places), operands: words<Operand>(operands) },
    ]),
  ),
)

/** Operands that must be whole numbers, written without a point. */
export const WHOLE: ReadonlySet<Operand> = new Set(['choice', 'mode'])
