/** Shared by the routes of the sidebar: they read requests and refuse them in the same way. */
import type * as z from 'zod'
import { InputError, knownFailure } from '../runtime/failures.ts'
import { kindOf } from '../runtime/kinds.ts'
import type { Request, Response } from '../runtime/node-red.ts'

/** A page of another origin cannot post JSON without being allowed to; without passwords, nothing else keeps it out. */
export function jsonOf({ headers, body }: Request): Record<string, unknown> {
  if (!headers['content-type']?.startsWith('application/json'))
    throw new InputError(['Content-Type: application/json is needed'])
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

/** `name` is how the error calls the value. */
export function parsed<S extends z.ZodType>(schema: S, value: unknown, name: string): z.output<S> {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  throw new InputError(read.error.issues.map(({ message }) => `${name}: ${message}`))
}

export function refuse(response: Response, failure: unknown) {
  const error = knownFailure(failure)
  const isAway = ['unreachable', 'tls', 'rateLimited', 'unexpected'].includes(kindOf(error).kind)
  const status = error instanceof InputError ? 400 : isAway ? 503 : 409
  response.status(status).json({ error: error.code, message: error.message })
}
