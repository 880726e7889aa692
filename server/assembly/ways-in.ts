/** How people come in to the pages: by password, with a second factor, or by single sign-on; and the routes for that. */
import { randomBytes } from 'node:crypto'
import type { Router } from 'express'
import type { Logger } from 'pino'
import type { Clock } from '../../lib/clock.ts'
import type { Settings } from '../config.ts'
import type { Room } from '../http/bodies/room.ts'
import { accountRoutes } from '../http/callers/account.ts'
import { secondFactorRoutes } from '../http/callers/second-factor.ts'
import { secondStepRoutes } from '../http/callers/second-step.ts'
import { signOnRoutes } from '../http/callers/sign-on.ts'
import { createEntrance, type Entrance } from '../people/entrance.ts'
import { knownDevices } from '../people/known-device.ts'
import { ownSecondFactor } from '../people/second-factor/own-second-factor.ts'
import { createSecondStep } from '../people/second-factor/second-step.ts'
import type { Foundation } from './foundation.ts'
import { signOnOf } from './sign-on.ts'

export interface WaysIn {
  entrance: Entrance
  /** @param room for the bodies of sign-ins */
  routes(room: Room): Router[]
}

export async function waysIn(
  settings: Settings,
  { store, clock, sandbox }: Foundation,
  { realClock, log }: { realClock: Clock; log: Logger },
): Promise<WaysIn> {
  const people = { store, clock, realClock, random: randomBytes, requiredOf: settings.secondFactor }
  const { signOn, passwords } = await signOnOf(settings, { ...people, log })
  const devices = knownDevices(people)
  const secondStep = createSecondStep({ ...people, devices })
  const entrance = createEntrance({ ...people, devices, secondStep, sandbox: sandbox !== null, passwords, signOn })
  return {
    entrance,
    routes: (room) => [
      accountRoutes(entrance, room),
      secondStepRoutes(entrance, secondStep, room),
      secondFactorRoutes(entrance, ownSecondFactor(people), room),
      ...(signOn ? [signOnRoutes(entrance, signOn, room)] : []),
    ],
  }
}
