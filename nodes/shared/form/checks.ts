/**
 * Tells what the interface states from what our own service asks beyond it. Another host may take that, so it is an error, a
 * warning or nothing, as its profile says. choice: Checks before sending
 */
import type * as z from 'zod'
import { describeIssues } from '../../../lib/contract/error.ts'
import type { CheckLevel, HostProfile } from '../../../lib/profile/host-profile.ts'
import { InputError } from '../runtime/failures.ts'
import type { FormReader } from './form-reader.ts'

type Checks = HostProfile['checks']

export interface Judged {
  errors: string[]
  warnings: string[]
}

/** Returns the issues of a create body as sentences. */
export function judged(issues: readonly z.core.$ZodIssue[], body: unknown, checks: Checks): Judged {
  const levelled = issues.map((issue) => ({ issue, level: levelOf(issue, body, checks) }))
  const sentences = (wanted: CheckLevel) =>
    describeIssues({ issues: levelled.filter(({ level }) => level === wanted).map(({ issue }) => issue) } as z.ZodError)
  return { errors: sentences('error'), warnings: sentences('warning') }
}

function levelOf({ path, message }: z.core.$ZodIssue, body: unknown, checks: Checks): CheckLevel {
  const value = valueAt(body, path)
  const last = String(path.at(-1))
  if (path[0] === 'performers' && path[2] === 'organization') return checks.organization
  if (path[2] === 'data' && EDGES.has(last) && typeof value === 'number') return checks.coordinates
  if (typeof value === 'string' && /\S/.test(value) && TOO_LONG.test(message)) return checks.lengths
  // The interface sets no limit to ids; whether there is one with this id is for the host to say.
  return IDS.has(last) && Number.isSafeInteger(value) ? 'off' : 'error'
}

const EDGES = new Set(['left', 'top', 'right', 'bottom'])
const IDS = new Set(['documentTypeId', 'templateId'])
const TOO_LONG = /^text of (1|up) to \d+ characters$/

const valueAt = (body: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], body)

export interface Length {
  /** The name of the field, as it is sent. */
  field: string
  text: string | undefined
  longest: number
}

/**
 * Returns the warnings about a text that may be too long for the host.
 * @throws InputError when that is an error
 */
export function lengthWarnings({ field, text, longest }: Length, { lengths }: Checks, { named }: FormReader): string[] {
  if (text === undefined || text.length <= longest || lengths === 'off') return []
  const sentence = named(`${field}: text of up to ${longest} characters`)
  if (lengths === 'error') throw new InputError([sentence])
  return [sentence]
}
