/** One line for each request: the route that it took and how it ended. Nothing of its URL, headers or body. */
import type { RequestHandler } from 'express'
import type { Logger } from 'pino'

/** Also gives the request its id, in `res.locals.requestId` and in the header `X-Request-Id` of the answer. */
export function accessLog(log: Logger, newId: () => string): RequestHandler {
  return (req, res, next) => {
    const started = performance.now()
    res.locals.requestId = newId()
    res.setHeader('X-Request-Id', res.locals.requestId)
    res.once('close', () => {
      const { requestId, loggedRoute, operatorKey, caller = operatorKey, visitor, taskId } = res.locals
      log.info({
        requestId,
        method: req.method,
        route: loggedRoute ?? 'none',
        status: res.writableFinished ? res.statusCode : 'aborted',
        ms: Math.round(performance.now() - started),
        ...(caller && { organizationId: caller.organizationId, keyId: caller.keyId }),
        ...(visitor && { personId: visitor.personId }),
        ...(taskId !== undefined && { taskId }),
      })
    })
    next()
  }
}
