/** Records the requests of senders, with what was answered and the fault that hit them, for the control room and for tests. */
import type { Request, RequestHandler, Response } from 'express'
import { type Clock, timeOf } from '../../lib/clock.ts'
import { shownBody, shownHeaders } from '../operations/sandbox/traffic/exchange.ts'
import type { Traffic } from '../operations/sandbox/traffic/traffic.ts'

/** Runs when the caller is known. @param keyHeader in which senders send their key */
export function recordRequest(traffic: Pick<Traffic, 'add'>, clock: Clock, keyHeader: string): RequestHandler {
  return (req, res, next) => {
    const { caller } = res.locals
    if (!caller) return next()
    const [at, began] = [timeOf(clock).toISOString(), performance.now()]
    let sent: unknown
    const { send } = res
    res.send = (value) => {
      if (String(res.getHeader('Content-Type')).startsWith('application/json')) sent = value
      return send.call(res, value)
    }
    res.once('close', () => {
      const answer: unknown = typeof sent === 'string' ? JSON.parse(sent) : undefined
      traffic.add(caller.organizationId, {
        at,
        direction: 'request',
        operation: res.locals.operation ?? '',
        method: req.method,
        url: req.originalUrl,
        ...subjectOf(req, res, answer),
        status: res.writableFinished ? res.statusCode : null,
        durationMs: Math.round(performance.now() - began),
        fault: res.locals.fault ?? null,
        isVerified: null,
        requestHeaders: shownHeaders(req.headers, keyHeader),
        requestBody: shownBody(req.body),
        answerHeaders: shownHeaders(res.getHeaders(), keyHeader),
        answerBody: shownBody(answer),
      })
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
