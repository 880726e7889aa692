/** The parts that only a sandbox has: a clock that can be advanced, faults on demand, and a setting for manual reviews. */
import type { RequestHandler } from 'express'
import { type Clock, timeOf } from '../../lib/clock.ts'
import type { HostProfile } from '../../lib/profile/host-profile.ts'
import { type Catchers, createCatchers } from '../operations/sandbox/catchers.ts'
import { type ChosenScripts, createChosenScripts } from '../operations/sandbox/chosen-scripts.ts'
import { createFaults, type Faults } from '../operations/sandbox/faults.ts'
import { createReviewing, type Reviewing } from '../operations/sandbox/reviewed-patients.ts'
import type { SandboxContext } from '../operations/sandbox/sandbox-context.ts'
import { createScenarios } from '../operations/sandbox/scenarios/progress.ts'
import { createTraffic, type Traffic } from '../operations/sandbox/traffic/traffic.ts'
import type { Store } from '../store/store.ts'
import type { Poster } from '../workers/delivery/post.ts'
import type { Worker } from '../workers/worker.ts'
import { disturbRequest } from './disturb-request.ts'
import { disturbedPoster } from './disturbed-poster.ts'
import { recordRequest } from './record-request.ts'
import { createRepeatableRandom } from './repeatable-random.ts'
import { createTimeTravel, type TimeTravel } from './time-travel.ts'
import { createVirtualClock } from './virtual-clock.ts'

export interface Sandbox {
  /** The time of everything but the network, which stays in real time. */
  clock: Clock
  /** Returns a number from 0 to 1: the same sequence after each return to the start. */
  random(): number
  /** Records requests and makes them go wrong as planned. */
  beforeReading: readonly RequestHandler[]
  /** @param profile how the service speaks to receivers */
  disturbed(poster: Poster, profile: HostProfile): Poster
  faults: Faults
  reviewing: Reviewing
  scripts: ChosenScripts
  catchers: Catchers
  snapshots: SandboxContext['snapshots']
  scenarios: SandboxContext['scenarios']
  traffic: Traffic
  lessonsBegun: SandboxContext['lessonsBegun']
  /** The organizations in whose name the program around this service has a key. */
  hosted: Set<string>
  /** Lets time pass. @param workers each makes work for those that come after it */
  timeTravel(workers: readonly Worker[], startOver: () => void): TimeTravel
}

export interface SandboxParts {
  store: Store
  /** The header in which senders send their key. */
  keyHeader: string
  /** The real time. */
  realClock: Clock
}

/** Name under which the store keeps how many milliseconds the clock is ahead, so that nothing stored lies in the future. */
const AHEAD = 'sandbox clock'

export async function openSandbox({ store, realClock, keyHeader }: SandboxParts): Promise<Sandbox> {
  const clock = createVirtualClock(realClock, await store.keepsake(AHEAD, timeOf(realClock), async () => 0))
  const random = createRepeatableRandom()
  const faults = createFaults(random.next)
  const traffic = createTraffic(realClock)
  return {
    clock,
    random: random.next,
    beforeReading: [recordRequest(traffic, clock, keyHeader), disturbRequest(faults, realClock)],
    disturbed: (poster, profile) => disturbedPoster({ poster, faults, traffic, clock, realClock, profile }),
    faults,
    reviewing: createReviewing(),
    scripts: createChosenScripts(),
    catchers: createCatchers(),
    snapshots: new Map(),
    scenarios: createScenarios(),
    traffic,
    lessonsBegun: new Map(),
    hosted: new Set(),
    timeTravel(workers, startOver) {
      const keep = (aheadMs: number) => store.keepAnew(AHEAD, timeOf(realClock), aheadMs)
      const { carryAlong } = store.sessions
      const startAllOver = () => {
        random.startOver()
        startOver()
      }
      return createTimeTravel({ clock, realClock, workers, keep, carryAlong, startOver: startAllOver })
    },
  }
}
