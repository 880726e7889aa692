/** What is written in a form, as the interface wants it: numbers and flags from text, rows of cells as objects. */

import type { Config } from '../runtime/node-red.ts'
import type { Evaluate, TypedValue } from './inputs.ts'

export type Json = Record<string, unknown>
/** One row of a list in the form: a typed input for each of its cells. */
type Row = Record<string, TypedValue>

/** The rows of a list, each without the cells that are left out. */
export const rowsOf = (config: Config, list: string, value: Evaluate): Promise<Json[]> =>
  Promise.all(((config[list] ?? []) as Row[]).map((row) => cells(row, list, value)))

async function cells(row: Row, list: string, value: Evaluate): Promise<Json> {
  const entries = Object.entries(row).map(async ([name, cell]) => [name, await value(cell, `${list}.${name}`)])
  return compact(Object.fromEntries(await Promise.all(entries)))
}

export const compact = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** A form gives numbers as text. What is no number stays as it is, for the contract to refuse by name. */
export const asNumber = (value: unknown) =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
export const asBoolean = (value: unknown) => (value === 'true' ? true : value === 'false' ? false : value)
export const asText = (value: unknown) => (typeof value === 'number' ? String(value) : value)
