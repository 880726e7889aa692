/** One round of a journey: what befalls the service, and whether it works again afterwards. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Acknowledged } from '../load/acknowledged.ts'
import type { TestPostgres } from '../store/postgres/a-postgres.ts'
import type { Instances } from './instances.ts'
import type { Round } from './plan.ts'

export interface Surroundings {
  instances: Instances
  /** Null where the store is a folder. */
  postgres: TestPostgres | null
  acknowledged: Acknowledged
}

const WORKS_WITHIN_MS = 60_000

/** Resolves when every instance is up again and creates and outcomes are acknowledged; rejects when that takes too long. */
export async function goThrough(round: Round, { instances, postgres, acknowledged }: Surroundings): Promise<void> {
  await pause(round.afterMs)
  // One restart after the other, where there are two.
  let restarted = Promise.resolve()
  const befall = async ({ kind, instance, delayMs }: Round['outages'][number]): Promise<void> => {
    await pause(delayMs)
    if (kind === 'restart fast' || kind === 'restart immediate') {
      restarted = restarted.then(() => postgres!.restart(kind === 'restart fast' ? 'fast' : 'immediate'))
      return restarted
    }
    const all = instances.baseUrls.map((_, index) => index)
    await Promise.all((kind === 'kill all' ? all : [instance]).map(instances.kill))
    if (kind === 'kill twice') {
      await instances.up()
      await instances.kill(instance)
    }
  }
  await Promise.all(round.outages.map(befall))
  await instances.up()
  await Promise.all([
    goesOn('create', () => acknowledged.created.size),
    goesOn('sign or retract', () => acknowledged.outcomes.size),
  ])
}

async function goesOn(what: string, count: () => number): Promise<void> {
  const before = count()
  for (const until = Date.now() + WORKS_WITHIN_MS; count() === before; await pause(25))
    if (Date.now() > until) throw new Error(`no ${what} was acknowledged within ${WORKS_WITHIN_MS / 1000} s`)
}
