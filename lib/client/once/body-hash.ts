/** Tells whether two request bodies say the same, without keeping either: the order of keys does not matter. */
import { createHash } from 'node:crypto'

export const bodyHash = (body: unknown): string => createHash('sha256').update(canonical(body)).digest('hex')

/** JSON with sorted keys; what JSON omits is omitted. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item === undefined ? null : item)).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`)
    .join()}}`
}
