/** Holds each network to the rate of a row that anybody may call. */
import type { RequestHandler } from 'express'
import type { Clock } from '../../../lib/clock.ts'
import { networkOf } from '../../domain/network.ts'
import { TooMany } from '../../domain/refusal.ts'
import type { Row } from '../../operations/row.ts'
import { createThrottle } from '../../people/throttle.ts'

export const paceOf =
  (clock: Clock) =>
  ({ perNetwork }: Pick<Row, 'perNetwork'>): RequestHandler[] => {
    if (!perNetwork) return []
    const { of, ...rate } = perNetwork
    const throttle = createThrottle({ clock, ...rate })
    const withinRate: RequestHandler = (req, _res, next) => {
      const waitMs = throttle.take(networkOf(req.ip))
      if (waitMs > 0) throw new TooMany(waitMs, `Too many ${of}. Try again in ${Math.ceil(waitMs / 1000)} seconds.`)
      next()
    }
    return [withinRate]
  }
