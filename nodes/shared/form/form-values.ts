/** Converts what a form holds to what the interface takes: text to numbers and booleans, rows of cells to objects. */

import type { Config } from '../runtime/node-red.ts'
import type { Evaluate, TypedValue } from './inputs.ts'

export type JsonObject = Record<string, unknown>
/** One row of a list in the form: a typed input for each of its cells. */
type Row = Record<string, TypedValue>

/** Returns the rows of a list, each without its empty cells. */
export const rowsOf = (config: Config, list: string, evaluate: Evaluate): Promise<JsonObject[]> =>
  Promise.all(((config[list] ?? []) as Row[]).map((row) => cells(row, list, evaluate)))

async function cells(row: Row, list: string, evaluate: Evaluate): Promise<JsonObject> {
  const entries = Object.entries(row).map(async ([name, cell]) => [name, await evaluate(cell, `${list}.${name}`)])
  return compact(Object.fromEntries(await Promise.all(entries)))
}

/** The fields without those that are undefined. */
export const compact = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** A form holds numbers as text. What is not a number stays as it is, so that the contract refuses it by name. */
export const asNumber = (value: unknown) =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
export const asBoolean = (value: unknown) => (value === 'true' ? true : value === 'false' ? false : value)
/** Milliseconds of what a form holds as minutes; 0 for anything that is not a number. */
export const minutesOf = (entered: unknown): number => (Number(entered) || 0) * 60_000
export const asText = (value: unknown) => (typeof value === 'number' ? String(value) : value)
