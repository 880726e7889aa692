/** The control plane of a sandbox: a sender acts for the signer, lets time pass, lets things go wrong. Never part of /api/v1. */
import { type RequestHandler, Router } from 'express'
import { type Clock, timeOf } from '../../lib/clock.ts'
import type { Signing } from '../signing/sign.ts'
import type { Store } from '../store/store.ts'
import { clockRoutes } from './clock-routes.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { faultRoutes } from './fault-routes.ts'
import type { Faults } from './faults.ts'
import { sandboxApi } from './sandbox-api.ts'
import { signerRoutes } from './signer-routes.ts'
import type { TimeTravel } from './time-travel.ts'

export interface SandboxParts {
  store: Pick<Store, 'audit' | 'deliveries' | 'inbox' | 'reset'>
  signing: Signing
  time: TimeTravel
  faults: Faults
  clock: Clock
  /** Sets the caller from the same x-api-key as the partner interface. */
  authenticate: RequestHandler
  jsonBody: RequestHandler[]
}

export function sandboxRoutes(parts: SandboxParts): Router {
  const { store, time, faults, clock } = parts
  const router = Router()
  const api = sandboxApi(router, parts)
  signerRoutes(api, parts)
  clockRoutes(api, parts)
  faultRoutes(api, faults)
  deliveryRoutes(api, store)
  api.serve('post', '/reset', async ({ organizationId, by }) => {
    faults.clear(organizationId)
    // What is under way would find its task gone.
    await time.settle()
    await store.reset(organizationId, by, timeOf(clock))
  })
  return router
}
