/** Throughput of creates and of callbacks, by the number of processes and of their connections. */
import type { TestPostgres } from '../../support/store/postgres/a-postgres.ts'
import { deliver } from './deliver.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { type StormRates, storm } from './storm.ts'
import { type Watched, watched } from './watch.ts'

export interface Plan {
  processes: number
  /** Of each process, at most. */
  connections: number
}

export interface Measured extends Plan {
  /** One for each run. */
  storms: (StormRates & Watched)[]
  /** Callbacks per second, one for each run; none where they were not measured. */
  delivered: number[]
}

export const RUNS = 3
/** Of one sender, for callbacks: each has its own queue. */
export const SUBSCRIPTIONS = 16
const STORM_SECONDS = 5
/** Threads that read documents end while others have their turn, and new ones are slow at first. For each of the processes. */
const WARM_UP_SECONDS = 8

interface Turn {
  fleet: Fleet
  measured: Measured
}

/**
 * All plans are measured in turns, each on a database of its own, so that other work on the machine slows down all of them.
 * @param receiver URL that takes every callback
 */
export async function measureInTurns(
  postgres: TestPostgres,
  receiver: string,
  plans: readonly Plan[],
  also: 'callbacks' | 'nothing else',
): Promise<Measured[]> {
  const turns: Turn[] = []
  for (const plan of plans) turns.push(await prepared(postgres, receiver, plan))
  await inTurns(turns, async ({ fleet, measured }) => {
    await storm(fleet, WARM_UP_SECONDS * fleet.pids.length)
    measured.storms.push(await watchedStorm(fleet))
  })
  if (also === 'callbacks') {
    for (const { fleet } of turns) for (let n = 1; n < SUBSCRIPTIONS; n++) await subscribe(fleet, receiver)
    await inTurns(turns, async ({ fleet, measured }) => {
      const tasks = measured.storms.reduce((sum, { tasks }) => sum + tasks, 0)
      measured.delivered.push(await deliver(fleet, Math.floor(tasks / RUNS)))
    })
  }
  for (const { fleet } of turns) await fleet.stop()
  return turns.map(({ measured }) => measured)
}

async function inTurns(turns: readonly Turn[], run: (turn: Turn) => Promise<void>): Promise<void> {
  for (let n = 0; n < RUNS; n++) for (const turn of turns) await run(turn)
}

async function prepared(postgres: TestPostgres, receiver: string, plan: Plan): Promise<Turn> {
  const fleet = await startFleet(await postgres.database(), plan.processes, plan.connections)
  await subscribe(fleet, receiver)
  return { fleet, measured: { ...plan, storms: [], delivered: [] } }
}

async function watchedStorm(fleet: Fleet): Promise<StormRates & Watched> {
  let rates: StormRates | undefined
  const seen = await watched(fleet, async () => {
    rates = await storm(fleet, STORM_SECONDS)
  })
  return { ...rates!, ...seen }
}

async function subscribe({ sender }: Fleet, url: string): Promise<void> {
  const path = '/api/v1/signature/webhooks'
  await sender.ask({ name: 'subscribe', method: 'POST', path, body: { url }, expected: 201 })
}
