/** Notes which route a request took, as it is written: all that a log may know of a URL. */
import type { RequestHandler } from 'express'

export const template =
  (route: string): RequestHandler =>
  (_req, res, next) => {
    res.locals.template = route
    next()
  }
