/** Lets in people who are signed in to the pages, and changes only with proof that a page of ours asked for them. */
import type { RequestHandler } from 'express'
import { type Clock, timeOf } from '../../../lib/clock.ts'
import type { Row } from '../../operations/row.ts'
import type { Entrance } from '../../people/entrance.ts'
import { fromOurPage, only, visit, withToken } from '../callers/visit.ts'

export const admitVisitors =
  (entrance: Entrance) =>
  ({ method, who, passive }: Pick<Row, 'method' | 'who' | 'passive'>): RequestHandler[] => {
    const isChange = method !== 'get'
    if (who.includes('anybody')) return isChange ? [fromOurPage] : []
    const proof = isChange ? [fromOurPage, withToken(entrance)] : []
    return [visit(entrance, { isUse: !passive }), only(...who), ...proof]
  }

/** Tells a page what the clock of the service says: a sandbox puts it forward, and pages show times by it. */
export const withServiceTime =
  (clock: Clock): RequestHandler =>
  (_req, res, next) => {
    res.setHeader('x-service-time', timeOf(clock).toISOString())
    next()
  }
