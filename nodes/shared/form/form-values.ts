/** Converts what a form holds to what the interface takes: text to numbers and booleans. */

export type JsonObject = Record<string, unknown>

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
/** A number from 0 on; the fallback for anything else. */
export function numberOr(entered: unknown, fallback: number): number {
  const number = Number(String(entered ?? '').trim() || Number.NaN)
  return Number.isFinite(number) && number >= 0 ? number : fallback
}
