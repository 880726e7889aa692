/** Holds each network to the rate of a row that anyone may call, at all instances together. */
import type { RequestHandler } from 'express'
import { type Clock, timeOf } from '../../../lib/clock.ts'
import { networkOf } from '../../domain/network.ts'
import { TooMany } from '../../domain/refusal.ts'
import { limited } from '../../domain/tries.ts'
import type { Row } from '../../operations/row.ts'
import type { Store } from '../../store/store.ts'

export const paceOf =
  (store: Pick<Store, 'signInTries'>, clock: Clock) =>
  ({ perNetwork }: Pick<Row, 'perNetwork'>): RequestHandler[] => {
    if (!perNetwork) return []
    const { of, tries, windowMs } = perNetwork
    const pace = limited(tries, windowMs)
    const withinRate: RequestHandler = async (req, _res, next) => {
      const bucket = { name: [of, networkOf(req.ip)], email: null, pace }
      const waitMs = await store.signInTries.take([bucket], timeOf(clock))
      if (waitMs > 0) throw new TooMany(waitMs, `Too many ${of}. Try again in ${Math.ceil(waitMs / 1000)} seconds.`)
      next()
    }
    return [withinRate]
  }
