/** One line for each request: the route that it took and how it ended. Nothing of its URL, headers or body. */
import type { RequestHandler } from 'express'
import type { Logger } from 'pino'

export interface RequestFacts {
  /** The route as it is written, never as it was asked for; `none` where there is no such path. */
  route: string
  method: string
  status: number | 'aborted'
  ms: number
}

/** Also gives the request its id, in `res.locals.requestId` and in the header `X-Request-Id` of the answer. */
export function accessLog(log: Logger, newId: () => string, onEnd: (facts: RequestFacts) => void): RequestHandler {
  return (req, res, next) => {
    const started = performance.now()
    res.locals.requestId = newId()
    res.setHeader('X-Request-Id', res.locals.requestId)
    res.once('close', () => {
      const { requestId, loggedRoute, operatorKey, caller = operatorKey, visitor, taskId } = res.locals
      const facts: RequestFacts = {
        method: req.method,
        route: loggedRoute ?? 'none',
        status: res.writableFinished ? res.statusCode : 'aborted',
        ms: Math.round(performance.now() - started),
      }
      onEnd(facts)
      log.info({
        requestId,
        ...facts,
        ...(caller && { organizationId: caller.organizationId, keyId: caller.keyId }),
        ...(visitor && { personId: visitor.personId }),
        ...(taskId !== undefined && { taskId }),
      })
    })
    next()
  }
}
