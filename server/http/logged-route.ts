/** Keeps the route that a request took, as it is written, for the log: all that a log line may carry of a URL. */
import type { RequestHandler } from 'express'

export const loggedRoute =
  (route: string): RequestHandler =>
  (_req, res, next) => {
    res.locals.loggedRoute = route
    next()
  }
