/** What only a sandbox has: a clock that can be put forward, faults on demand, signers who act by themselves, and its routes. */
import type { RequestHandler, Router } from 'express'
import { type Clock, timeOf } from '../../lib/clock.ts'
import type { Signing } from '../signing/sign.ts'
import type { Store } from '../store/store.ts'
import type { Poster } from '../workers/post.ts'
import type { Worker } from '../workers/worker.ts'
import { disturbRequest } from './disturb-request.ts'
import { disturbedPoster } from './disturbed-poster.ts'
import { createFaults } from './faults.ts'
import { sandboxRoutes } from './routes.ts'
import { createTimeTravel } from './time-travel.ts'
import { createVirtualClock } from './virtual-clock.ts'

export interface Sandbox {
  /** The time of everything but the network, which stays in real time. */
  clock: Clock
  /** Lets requests go wrong as was planned. */
  disturbRequest: RequestHandler
  disturbed(poster: Poster): Poster
  routes(parts: {
    signing: Signing
    /** Each makes work for those that come after it. */
    workers: readonly Worker[]
    authenticate: RequestHandler
    jsonBody: RequestHandler[]
  }): Router
}

export interface SandboxParts {
  store: Store
  /** The real time. */
  realClock: Clock
  /** From 0 to 1. */
  random(): number
}

/** Name under which the store keeps how many milliseconds the clock is ahead: else what it holds would lie in the future. */
const AHEAD = 'sandbox clock'

export async function openSandbox({ store, realClock, random }: SandboxParts): Promise<Sandbox> {
  const clock = createVirtualClock(realClock, await store.keepsake(AHEAD, timeOf(realClock), async () => 0))
  const faults = createFaults(random)
  return {
    clock,
    disturbRequest: disturbRequest(faults, realClock),
    disturbed: (poster) => disturbedPoster(poster, faults, realClock),
    routes({ workers, ...parts }) {
      const keep = (aheadMs: number) => store.keepAnew(AHEAD, timeOf(realClock), aheadMs)
      const time = createTimeTravel({ clock, realClock, workers, keep })
      return sandboxRoutes({ ...parts, store, time, faults, clock })
    },
  }
}
