/** Performs a row: reads the request by its schemas, runs it, and lets out only what the schema of the answer names. */
import * as z from 'zod'
import type { Answer } from '../../lib/contract/endpoint.ts'
import { describeIssues } from '../../lib/contract/error.ts'
import { withHints } from '../../lib/contract/mistakes.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Row, Sent, TypedRow } from './row.ts'

/**
 * Performs a row for callers in this process, such as the command line. Refuses as the HTTP interface does, in the same words.
 */
export async function perform<C, P, Q, B, R>(row: TypedRow<C, P, Q, B, R>, context: C, sent: Sent = {}) {
  const request = await read(row, context, { params: {}, query: {}, ...sent })
  return answered(row, await row.run(context, request as never)) as Awaited<ReturnType<typeof row.run>>
}

/**
 * Returns the request as the schemas of the row read it. Refuses with every error at once.
 *
 * @param stray errors about what was sent and the row does not take; they count where the row has no body, and refuse a
 * change whose values may be in it
 */
export async function read<C>(row: Row<C>, context: C, sent: Sent, stray: readonly string[] = []) {
  const { request, errors } = parsed(row, sent)
  if (errors.length === 0 && !(stray.length > 0 && mayLose(row))) return request
  const more = (row.body ? await row.examine?.(context, sent.body) : stray) ?? []
  throw new Refusal('invalid', ...withHints([...new Set([...errors, ...more])], sent.body))
}

/** Refuses, before there is a store to perform the row on, what its schemas refuse. */
export function check<C>(row: Row<C>, sent: Sent): void {
  const { errors } = parsed(row, { params: {}, query: {}, ...sent })
  if (errors.length > 0) throw new Refusal('invalid', ...withHints(errors, sent.body))
}

function parsed<C>({ params, query, body, public: isPublic, unnoticed }: Row<C>, sent: Sent) {
  const errors: string[] = []
  const by = (schema: z.ZodType | undefined, value: unknown) => {
    if (!schema) return undefined
    const result = schema.safeParse(value)
    if (!result.success) errors.push(...describeIssues(result.error, keysOf(schema)))
    return result.data
  }
  const request = {
    params: by(params, sent.params),
    // Balancers add parameters of their own to the health check.
    query: by(query ?? (isPublic ? undefined : NO_QUERY), sent.query),
    body: body === 'pdf' ? sent.body : by(body, sent.body),
  }
  if (errors.length === 0) errors.push(...(unnoticed?.(sent.body) ?? []))
  return { request, errors }
}

/** A reason in the body of a retract would be lost, and the retract could not be taken back. */
const mayLose = ({ method, query, body }: Row): boolean => method !== 'get' && query !== undefined && body === undefined

/** Members that the schema of the answer does not name never leave the service. */
export function answered(row: Pick<Row, 'responses'>, result: unknown): unknown {
  const [, answer] = successOf(row)
  return typeof answer === 'object' && answer !== null ? answer.parse(result) : result
}

export function successOf({ responses }: Pick<Row, 'responses'>): [status: number, answer: Answer] {
  const status = Object.keys(responses)
    .map(Number)
    .find((code) => code < 300) as number
  return [status, responses[status] as Answer]
}

/** An operation without parameters accepts none: a mistyped one must not go unnoticed. */
const NO_QUERY = z.strictObject({})

const keysOf = (schema: z.ZodType) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : undefined)
