/** The one map from what went wrong to a status and a body. spec: Errors */
import { finished } from 'node:stream'
import type { ErrorRequestHandler, Response } from 'express'
import { Later, Refusal, type RefusalKind } from '../domain/refusal.ts'

const STATUS: Record<RefusalKind, number> = {
  invalid: 400,
  keyMissing: 401,
  keyRefused: 403,
  signedOut: 401,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  tooSlow: 408,
  tooLarge: 413,
  wrongMediaType: 415,
  tooMany: 429,
  unavailable: 503,
}

/** Our refusal for each error type of the body parser. */
const BODY_FAULTS: Record<string, [RefusalKind, string]> = {
  'entity.too.large': ['tooLarge', 'body: too large'],
  'request.aborted': ['invalid', 'body: the connection ended before the body did'],
  'encoding.unsupported': ['wrongMediaType', 'Content-Encoding: not supported here; send the body uncompressed'],
  'request.size.invalid': ['invalid', 'body: its length differs from Content-Length'],
}

/**
 * Returns the status of a refusal. A row that does not declare 404 or 409 answers 400 instead, as the specification says for
 * updates, retracts and subscriptions.
 */
export function statusOf(kind: RefusalKind, declared?: readonly number[]): number {
  const status = STATUS[kind]
  return (status === 404 || status === 409) && declared && !declared.includes(status) ? 400 : status
}

export function refuse(res: Response, refusal: Pick<Refusal, 'kind' | 'errors' | 'plain'>): void {
  const { declared, wrongKeyStatus } = res.locals
  const { kind } = refusal
  const status = kind === 'keyRefused' && wrongKeyStatus ? wrongKeyStatus : statusOf(kind, declared)
  res.status(status).json({ errors: errorsFor(res, refusal) })
}

const errorsFor = (res: Response, refusal: Pick<Refusal, 'kind' | 'errors' | 'plain'>): readonly string[] =>
  res.locals.wording?.(refusal) ?? refusal.errors

/** How long the rest of a body may take that no one reads any more. */
const REST_OF_BODY_MS = 30_000

/**
 * Refuses while the body still comes. Before the connection is closed, the rest of the body is taken and dropped: closed earlier,
 * it would be reset, and the answer lost that the caller may not have read yet.
 */
function refuseBeforeEnd(res: Response, refusal: Refusal): void {
  const text = JSON.stringify({ errors: errorsFor(res, refusal) })
  res.status(statusOf(refusal.kind, res.locals.declared))
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  res.setHeader('Content-Length', Buffer.byteLength(text))
  res.write(text)
  const end = () => void res.end()
  const timer = setTimeout(end, REST_OF_BODY_MS)
  res.once('close', () => clearTimeout(timer))
  finished(res.req, { writable: false }, end)
  res.req.resume()
}

/** Answers every failure. One that is not a refusal is a fault of ours: `report` is notified of it, and no one else. */
export function failures(report: (fault: unknown, res: Response) => void): ErrorRequestHandler {
  return (failure, _req, res, _next) => {
    if (res.headersSent) {
      // Half an answer cannot be fixed, only cut off. That the sender went away in the meantime is no fault.
      if (!res.closed) report(failure, res)
      return void res.destroy()
    }
    const refusal = failure instanceof Refusal ? failure : bodyFault(failure)
    if (refusal instanceof Later) res.setHeader('Retry-After', String(refusal.waitSeconds))
    if (refusal) return res.req.complete || res.shouldKeepAlive ? refuse(res, refusal) : refuseBeforeEnd(res, refusal)
    report(failure, res)
    res.status(500).json({ errors: [`The service failed. Quote request ${res.locals.requestId} to its operator.`] })
  }
}

function bodyFault(failure: { type?: string; status?: number } | undefined): Refusal | null {
  const known = BODY_FAULTS[failure?.type ?? '']
  if (known) return new Refusal(...known)
  // Express reports a path that does not decode with a status of its own.
  return failure?.status === 400 ? new Refusal('invalid', 'path: not a valid URL') : null
}
