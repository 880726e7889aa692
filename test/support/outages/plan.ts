/** What befalls a service in each round of a journey. Pure: the same seed plans the same. */
import type { Random } from '../random.ts'

/**
 * `kill` ends one instance in the middle of its work, `kill twice` does it again as soon as it is back, `kill all`
 * ends every instance at once; the others restart PostgreSQL: `fast` ends the sessions and writes everything down, `immediate`
 * ends as in a crash.
 */
export type Outage = 'kill' | 'kill twice' | 'kill all' | 'restart fast' | 'restart immediate'

export interface Round {
  /** Under load before the first outage. */
  afterMs: number
  /** Each with its time since the first; a kill and a restart may overlap. */
  outages: { kind: Outage; instance: number; delayMs: number }[]
}

const LONGEST_MS = 1_500
const SEVERAL_SHARE = 0.35

/** Each kind comes in turn, in a random order, so that a plan of a few rounds has them all. */
export function planOf(random: Random, rounds: number, kinds: readonly Outage[], instances: number): Round[] {
  const shuffled = kinds
    .map((kind) => ({ kind, place: random.below(2 ** 30) }))
    .sort((a, b) => a.place - b.place)
    .map(({ kind }) => kind)
  return Array.from({ length: rounds }, (_, number) => {
    const chosen = [shuffled[number % shuffled.length]!, ...(random.isSo(SEVERAL_SHARE) ? [random.pick(kinds)] : [])]
    return {
      afterMs: 100 + random.below(LONGEST_MS),
      outages: chosen.map((kind, index) => ({
        kind,
        instance: random.below(instances),
        delayMs: index * random.below(400),
      })),
    }
  })
}

export const inWords = ({ outages }: Round): string =>
  outages
    .map(({ kind, instance }) => (kind.startsWith('kill') && kind !== 'kill all' ? `${kind} ${instance + 1}` : kind))
    .join(', ')
