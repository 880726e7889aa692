/** `/ready`, for what sends requests to this process: alongside the health of the service, whether this process is up to them. */
import { Router } from 'express'
import type { Readiness } from '../workers/readiness.ts'
import { loggedRoute } from './logged-route.ts'
import type { StreamPlaces } from './stream-places.ts'

/** A watcher asks again after this time at the latest. */
const RETRY_AFTER_SECONDS = 5

/** @param streams whose refusals are warnings: the process can take all other requests */
export function readyRoute(readiness: Readiness, streams: readonly Pick<StreamPlaces, 'refused'>[]): Router {
  const router = Router()
  router.get('/ready', loggedRoute('/ready'), async (_req, res) => {
    const errors = await readiness.problems()
    const warnings = streams.flatMap((places) => places.refused() ?? [])
    const more = warnings.length > 0 && { warnings }
    if (errors.length === 0) return void res.json({ status: 'ready', ...more })
    res.setHeader('Retry-After', String(RETRY_AFTER_SECONDS))
    res.status(503).json({ errors, ...more })
  })
  return router
}
