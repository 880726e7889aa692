/** What a database and its machine do under load: who takes the processors, and what the connections are busy with. */
import { availableParallelism, cpus } from 'node:os'
import type { Fleet } from './fleet.ts'
import { parentOf, processorSeconds } from './processor-time.ts'

/** Who takes processor time; `others` have no part in the measurement. */
export type Taker = 'service' | 'postgresql' | 'load' | 'others'

export interface Watched {
  seconds: number
  /** Of the time of all processors, how much each took, from 0 to 1. */
  processors: Readonly<Record<Taker, number>>
  /** How many connections did what, on average, the most frequent first. */
  connections: readonly (readonly [doing: string, count: number])[]
  /** The most connections that were busy at once. */
  mostBusy: number
  /** Changes that the audit log holds. */
  audited: number
}

export const SAMPLE_EVERY_MS = 100

/** What no connection waits for is named after what it does. */
const SAMPLE = `SELECT count(*)::int AS count,
    CASE WHEN state <> 'active' THEN 'open transaction, waits for the service'
      ELSE coalesce(wait_event_type || ': ' || wait_event, 'computes') END AS doing
  FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND state <> 'idle'
  GROUP BY doing`

export async function watched(fleet: Fleet, work: () => Promise<void>): Promise<Watched> {
  const before = await standOf(fleet)
  const endSampling = sampled(fleet)
  await work()
  const samples = await endSampling()
  const after = await standOf(fleet)
  const seconds = (after.ms - before.ms) / 1000
  const shareOf = (of: 'all' | Exclude<Taker, 'others'>) => (after[of] - before[of]) / seconds / availableParallelism()
  const [service, postgresql, load] = [shareOf('service'), shareOf('postgresql'), shareOf('load')]
  return {
    seconds,
    processors: { service, postgresql, load, others: Math.max(0, shareOf('all') - service - postgresql - load) },
    audited: after.audited - before.audited,
    ...samples,
  }
}

async function standOf({ look, pids }: Fleet) {
  const asked = 'SELECT pg_backend_pid() AS pid, (SELECT count(*)::int FROM audit) AS audited'
  const { pid, audited } = (await look.query<{ pid: number; audited: number }>(asked)).rows[0]!
  const { user, system } = process.cpuUsage()
  return {
    ms: performance.now(),
    audited,
    service: processorSeconds(pids),
    postgresql: processorSeconds([parentOf(pid)]),
    load: (user + system) / 1e6,
    all: cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000,
  }
}

/** The returned function ends it. */
function sampled({ look }: Fleet): () => Promise<Pick<Watched, 'connections' | 'mostBusy'>> {
  const totals = new Map<string, number>()
  let samples = 0
  let mostBusy = 0
  let asking = Promise.resolve()
  const sample = async () => {
    const { rows } = await look.query<{ doing: string; count: number }>(SAMPLE)
    samples++
    mostBusy = Math.max(
      mostBusy,
      rows.reduce((sum, { count }) => sum + count, 0),
    )
    for (const { doing, count } of rows) totals.set(doing, (totals.get(doing) ?? 0) + count)
  }
  const timer = setInterval(() => {
    asking = asking.then(sample)
  }, SAMPLE_EVERY_MS)
  return async () => {
    clearInterval(timer)
    await asking
    const connections = [...totals].map(([doing, count]) => [doing, count / samples] as const)
    return { connections: connections.sort(([, a], [, b]) => b - a), mostBusy }
  }
}
