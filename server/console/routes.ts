/** The console's server, for operators and for administrators of an organization. */
import { type RequestHandler, Router } from 'express'
import type { Clock } from '../../lib/clock.ts'
import { pageApi } from '../http/page-api.ts'
import type { Room } from '../http/room.ts'
import { only, sessionIdOf, visit } from '../http/visit.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Entrance } from '../people/entrance.ts'
import type { Store } from '../store/store.ts'
import { accountRoutes } from './account-routes.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import type { Live } from './live.ts'
import { organizationRoutes } from './organization-routes.ts'
import { providerRoutes } from './provider-routes.ts'
import { taskRoutes } from './task-routes.ts'
import { templateRoutes } from './template-routes.ts'

export interface ConsoleParts {
  store: Store
  keyring: Keyring
  entrance: Entrance
  clock: Clock
  live: Live
  /** For the bodies while they are in memory. */
  room: Room
  newId(): string
}

const ROLES = ['operator', 'administrator'] as const

export function consoleRoutes({ store, keyring, entrance, clock, live, room, newId }: ConsoleParts): Router {
  const api = pageApi({ entrance, prefix: '/console/api', roles: ROLES, room })
  taskRoutes(api, { store, clock, newId })
  deliveryRoutes(api, store, clock)
  templateRoutes(api, store, clock)
  organizationRoutes(api, { store, keyring, clock })
  providerRoutes(api, store, clock)
  accountRoutes(api, store, clock)

  const path = '/console/api/changes'
  const note: RequestHandler = (_req, res, next) => {
    res.locals.template = path
    next()
  }
  const router = Router()
  // A page that is open all night must not keep its session alive by listening.
  router.get(path, note, visit(entrance, { isUse: false }), only(...ROLES), (req, res) => {
    const sessionId = sessionIdOf(req)!
    const { role, organizationId } = res.locals.visitor!
    live.follow(res, async () => {
      const visitor = await entrance.visitorOf(sessionId, { isUse: false })
      return visitor?.role === role && visitor.organizationId === organizationId
    })
  })
  return router.use(api.router)
}
