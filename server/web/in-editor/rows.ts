/**
 * Between the rows of a form in Node-RED's editor and the fields on a sample. Pure. A row has a typed value in each cell; its
 * coordinates begin where the host's do, those of a field at the top left.
 */
import type { Origin } from '../../../lib/contract/task/annotations.ts'
import { type FieldType, fieldTypes } from '../../../lib/contract/task/field-kinds.ts'
import type { Box, PageSize } from '../../../lib/pdf/geometry.ts'
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import type { DraftField } from '../placing/draft-field.ts'

interface Cell {
  /** `str`, `num` and `bool` hold the value itself, all others say where it comes from. */
  type: string
  value: string
}
export type Row = Readonly<Record<string, Cell>>

const EDGES = ['left', 'top', 'right', 'bottom'] as const
const NUMBERS = ['pageNumber', ...EDGES] as const

/** Returns the rows that are at a place of their own, in their order; the place of any other is known only at run time. */
export const placedRows = (rows: readonly Row[]): Row[] => rows.filter(isPlaced)

const isPlaced = ({ type, ...cells }: Row): boolean =>
  type?.type === 'str' &&
  fieldTypes.includes(type.value as FieldType) &&
  NUMBERS.every((name) => cells[name]?.type === 'num' && Number.isFinite(Number.parseFloat(cells[name].value)))

/** Returns a field for each row that is at a place of its own. */
export const fieldsOf = (rows: readonly Row[], pages: readonly PageSize[], origin: Origin): Field[] =>
  placedRows(rows).map((row) => fieldOf(row, pages, origin))

function fieldOf(row: Row, pages: readonly PageSize[], origin: Origin): Field {
  const number = (name: string) => Number(row[name]!.value)
  const [left, top, right, bottom] = EDGES.map(number) as [number, number, number, number]
  const page = number('pageNumber')
  const { required, value } = row
  return {
    type: row.type!.value as FieldType,
    page,
    box: turned({ left, top, right, bottom }, pages[page - 1]!, origin),
    required: required?.type === 'bool' && required.value === 'true',
    value: value?.type === 'str' && value.value !== '' ? value.value : null,
  }
}

/**
 * Returns the rows with the fields as they are now. Keys count the placed rows from 1; a larger key is that of a new field. A
 * cell whose value no one changed stays as it was, so that what comes from the message still does.
 */
export function rowsWith(
  rows: readonly Row[],
  fields: readonly DraftField[],
  pages: readonly PageSize[],
  origin: Origin,
): Row[] {
  const placed = placedRows(rows)
  const before = fieldsOf(rows, pages, origin)
  const change = (field: DraftField): Row => {
    const row = placed[field.key - 1]
    const cells = cellsOf(field, pages, origin)
    if (!row) return cells
    const old = cellsOf(before[field.key - 1]!, pages, origin)
    const changed = Object.entries(cells).filter(([name, { value }]) => value !== old[name]!.value)
    return { ...row, ...Object.fromEntries(changed) }
  }
  const kept = rows.flatMap((row) => {
    if (!isPlaced(row)) return [row]
    const field = fields.find(({ key }) => key === placed.indexOf(row) + 1)
    return field ? [change(field)] : []
  })
  return [...kept, ...fields.filter(({ key }) => key > placed.length).map(change)]
}

function cellsOf({ type, page, box, required, value }: Field, pages: readonly PageSize[], origin: Origin) {
  const { left, top, right, bottom } = turned(box, pages[page - 1]!, origin)
  const cell = (kind: string, content: string | number | boolean): Cell => ({ type: kind, value: String(content) })
  const points = (at: number) => cell('num', Math.round(at * 100) / 100)
  const edges = { left: points(left), top: points(top), right: points(right), bottom: points(bottom) }
  const cells: Record<string, Cell> = {
    type: cell('str', type),
    required: cell('bool', required),
    pageNumber: cell('num', page),
    value: cell('str', value ?? ''),
    ...edges,
  }
  return cells
}

/** Converts a box between the two origins; the way back is the same. */
const turned = ({ left, top, right, bottom }: Box, { height }: PageSize, origin: Origin): Box =>
  origin === 'top-left' ? { left, top, right, bottom } : { left, top: height - top, right, bottom: height - bottom }
