/** The figures of a journey, for a person to read. */
import type { Acknowledged } from '../load/acknowledged.ts'
import type { Found } from '../load/broken.ts'
import type { Instances } from './instances.ts'
import type { Round } from './plan.ts'

export type Figures = string[]

export interface Measured {
  plan: readonly Round[]
  instances: Instances
  acknowledged: Acknowledged
  found: Found
  /** How the calls under load ended. */
  loaded: ReadonlyMap<string, number>
  seconds: number
}

export function figuresOf({ plan, instances, acknowledged, found, loaded, seconds }: Measured): Figures {
  const outages = plan.flatMap((round) => round.outages.map(({ kind }) => kind))
  const kills = outages.filter((kind) => kind.startsWith('kill')).length
  const outcomes = [...acknowledged.outcomes.values()]
  const signed = outcomes.filter((status) => status === 'Completed').length
  const received = Object.entries(found.receivers).map(
    ([name, { counts }]) => `${counts.accepted} by the ${name} receiver, which refused ${counts.refused}`,
  )
  const calls = [...loaded].sort(([a], [b]) => a.localeCompare(b)).map(([ending, times]) => `${ending}: ${times}`)
  return [
    `${plan.length} rounds in ${Math.round(seconds)} s: ${kills} kills, ${outages.length - kills} restarts of PostgreSQL`,
    `acknowledged: ${acknowledged.created.size} creates, ${signed} signed, ${outcomes.length - signed} retracted`,
    `${found.tasks.length} tasks in the end; callbacks: ${received.join('; ')}`,
    `instances that ended by themselves: ${instances.endedByThemselves.length}; starts that failed: ${instances.failedStarts.count}`,
    `calls: ${calls.join(', ')}`,
  ]
}
