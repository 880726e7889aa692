/** Reads the body of a successful answer. Pure. */
import * as z from 'zod'
import type { OperationName } from '../../contract/operations.ts'
import { wirePath } from '../../contract/wire-path.ts'
import type { HostProfile } from '../../profile/host-profile.ts'
import { answers } from './answers.ts'

/** `issues` name by path what could not be read, without values. */
export type ReadAnswer = { ok: true; result: unknown } | { ok: false; issues: readonly string[] }

/** @param body parsed JSON; undefined when it is not JSON */
export function readAnswer(name: OperationName, body: unknown, { list }: Pick<HostProfile, 'list'>): ReadAnswer {
  const schema = answers[name]
  if (schema === null) return { ok: true, result: undefined }
  const { value, at } = schema instanceof z.ZodArray ? unwrapped(body, list.envelope) : { value: body, at: [] }
  const read = schema.safeParse(value)
  if (read.success) return { ok: true, result: read.data }
  if (body === undefined) return { ok: false, issues: ['the body is not the expected JSON'] }
  const issues = read.error.issues.slice(0, MAX_ISSUES)
  return { ok: false, issues: issues.map(({ path, message }) => `${wirePath([...at, ...path]) || 'body'}: ${message}`) }
}

/** More than anyone looks at. */
const MAX_ISSUES = 20

/** A list may be wrapped: in the property that the profile names, or else the one array inside is the list. */
function unwrapped(body: unknown, envelope: string | null): { value: unknown; at: string[] } {
  if (Array.isArray(body) || typeof body !== 'object' || body === null) return { value: body, at: [] }
  const wrapped = body as Record<string, unknown>
  const arrays = Object.keys(wrapped).filter((key) => Array.isArray(wrapped[key]))
  const key =
    envelope !== null && Object.hasOwn(wrapped, envelope) ? envelope : arrays.length === 1 ? arrays[0] : undefined
  return key === undefined
    ? { value: body, at: envelope === null ? [] : [envelope] }
    : { value: wrapped[key], at: [key] }
}
