/** Records the requests of senders, with what was answered and the fault that hit them, for the control room and for tests. */
import type { Request, RequestHandler, Response } from 'express'
import { type Clock, timeOf } from '../../lib/clock.ts'
import { SECRET_HEADERS, shownBody, shownHeaders } from '../operations/sandbox/traffic/exchange.ts'
import type { OriginalRequest } from '../operations/sandbox/traffic/originals.ts'
import type { Traffic } from '../operations/sandbox/traffic/traffic.ts'

/** Marks a request that the control room has sent again, with the id of the first one. */
export const REPLAY_HEADER = 'x-sandbox-replay-of'

/** Runs when the caller is known. @param keyHeader in which senders send their key */
export function recordRequest(traffic: Pick<Traffic, 'add'>, clock: Clock, keyHeader: string): RequestHandler {
  return (req, res, next) => {
    const { caller } = res.locals
    if (!caller) return next()
    const [at, began] = [timeOf(clock).toISOString(), performance.now()]
    let sent: unknown
    const received = collected(req)
    const { send } = res
    res.send = (value) => {
      if (String(res.getHeader('Content-Type')).startsWith('application/json')) sent = value
      return send.call(res, value)
    }
    res.once('close', () => {
      const answer: unknown = typeof sent === 'string' ? JSON.parse(sent) : undefined
      const exchange = {
        at,
        direction: 'request' as const,
        operation: res.locals.operation ?? '',
        method: req.method,
        url: req.originalUrl,
        ...subjectOf(req, res, answer),
        status: res.writableFinished ? res.statusCode : null,
        durationMs: Math.round(performance.now() - began),
        fault: res.locals.fault ?? null,
        replayOf: replayed(req),
        isVerified: null,
        requestHeaders: shownHeaders(req.headers, keyHeader),
        requestBody: shownBody(req.body),
        answerHeaders: shownHeaders(res.getHeaders(), keyHeader),
        answerBody: shownBody(answer),
      }
      traffic.add(caller.organizationId, exchange, originalOf(req, received(), keyHeader))
    })
    next()
  }
}

/** Returns the task and the document of the sender that a request is about. */
function subjectOf(req: Request, res: Response, answer: unknown) {
  const sent = req.body as { document?: { externalDocId?: unknown } } | undefined
  const made = answer as { taskId?: unknown; document?: { externalDocId?: unknown } } | undefined
  const asked = new URLSearchParams(req.originalUrl.split('?')[1]).get('externalDocId')
  const found = sent?.document?.externalDocId ?? made?.document?.externalDocId ?? asked
  const { taskId = made?.taskId } = res.locals
  return {
    taskId: typeof taskId === 'number' ? taskId : null,
    externalDocId: typeof found === 'string' ? found.slice(0, 255) : null,
  }
}

/** Returns what returns the body as it came, once its reader has read it; null when it was too large or was not read to its end. */
function collected(req: Request): () => Buffer | null {
  const chunks: Buffer[] = []
  let size = 0
  const { emit } = req
  req.emit = (name: string | symbol, ...values: unknown[]) => {
    const [chunk] = values
    if (name === 'data' && Buffer.isBuffer(chunk)) {
      size += chunk.length
      // Copied, because its reader gives the memory back.
      if (size <= LARGEST) chunks.push(Buffer.from(chunk))
      else chunks.length = 0
    }
    return emit.call(req, name, ...values)
  }
  return () => {
    const length = req.headers['content-length']
    // Of a request whose body was not read to its end, a part may have come all the same.
    const isWhole = length === undefined ? size === 0 || req.body !== undefined : size === Number(length)
    return size <= LARGEST && isWhole ? Buffer.concat(chunks) : null
  }
}

/** A larger one cannot be sent again. */
const LARGEST = 8 * 1024 * 1024
/** Headers that belong to one connection, or that the sender of a request makes itself. */
const OF_CONNECTION =
  /^(host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|content-length|proxy-.*)$/

function originalOf(req: Request, body: Buffer | null, keyHeader: string): OriginalRequest | undefined {
  if (body === null) return undefined
  const isSent = (name: string) =>
    name !== keyHeader.toLowerCase() &&
    name !== REPLAY_HEADER &&
    !OF_CONNECTION.test(name) &&
    !SECRET_HEADERS.test(name)
  const headers = Object.entries(req.headers).flatMap(([name, value]) =>
    isSent(name) && value !== undefined ? [[name, String(value)] as const] : [],
  )
  return { is: 'request', bytes: body.length, headers: Object.fromEntries(headers), body }
}

/** Returns the id of the exchange that a request says it is a replay of. */
function replayed({ headers }: Request): number | null {
  const given = String(headers[REPLAY_HEADER] ?? '')
  return /^[1-9]\d{0,14}$/.test(given) ? Number(given) : null
}
