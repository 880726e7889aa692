/** Says in the log, and beneath the nodes of a service, how much is kept that no node works on: numbers and addresses, no ids. */
import { knownFailure } from '../runtime/failures.ts'
import type { Runtime } from '../runtime/node-red.ts'
import { sharedText } from '../runtime/status.ts'
import type { ServiceNode } from '../service/connection.ts'
import { eachJournalOrphan } from './journal-orphans.ts'
import type { Orphan, OrphanKind } from './orphan.ts'
import { queueOrphans } from './queue-orphans.ts'

/** The order in which counts are named. */
const KINDS: readonly OrphanKind[] = [
  'order',
  'message',
  'wait',
  'event',
  'subscription',
  'outcome',
  'held',
  'intake',
  'outbox',
  'row',
]
/**
 * Kinds that a flow waits for, and what shows that another program changes the database. The others cost at most an event or an outcome
 * that comes twice, so they are only logged.
 */
const SHOWN: ReadonlySet<OrphanKind> = new Set(['order', 'message', 'wait', 'row'])

type Counts = Map<OrphanKind, number>

/** Returns a function that counts, for the start and after each deploy and action. It never rejects. */
export function tellOrphans(runtime: Runtime, service: ServiceNode): { look(): Promise<void> } {
  let last = ''
  const look = async () => {
    const groups = await orphanCounts(runtime, service)
    const lines = [...groups].map(([where, counts]) =>
      sharedText(runtime, where === '' ? 'orphans.ofNodes' : 'orphans.ofAddress', {
        what: listed(runtime, counts),
        where: where === '?' ? sharedText(runtime, 'orphans.unknownAddress') : where,
      }),
    )
    if (lines.join('\n') !== last) for (const line of lines) service.warn(line)
    last = lines.join('\n')
    service.connection.beside(shown(runtime, groups))
  }
  let looking = Promise.resolve()
  return {
    look() {
      looking = looking.then(look).catch((failure) => service.warn(knownFailure(failure).message))
      return looking
    },
  }
}

/** Returns the counts by address; under `''` what belongs to this address, and under `?` what belongs to an unknown one. */
async function orphanCounts(runtime: Runtime, service: ServiceNode): Promise<Map<string, Counts>> {
  const groups = new Map<string, Counts>()
  const add = ({ reason, address, kind, count }: Orphan) => {
    const where = reason === 'address' ? (address ?? '?') : ''
    const counts: Counts = groups.get(where) ?? new Map()
    counts.set(kind, (counts.get(kind) ?? 0) + count)
    groups.set(where, counts)
  }
  await eachJournalOrphan(runtime, service, ({ orphan }) => add(orphan))
  for (const orphan of await queueOrphans(runtime)) add(orphan)
  return groups
}

function shown(runtime: Runtime, groups: ReadonlyMap<string, Counts>) {
  const sums: Counts = new Map()
  const places: string[] = []
  for (const [where, counts] of groups) {
    const relevant = [...counts].filter(([kind]) => SHOWN.has(kind))
    for (const [kind, count] of relevant) sums.set(kind, (sums.get(kind) ?? 0) + count)
    if (relevant.length > 0) places.push(where)
  }
  const [where, ...others] = places
  if (where === undefined) return null
  const what = listed(runtime, sums)
  if (others.length > 0) return { tone: 'waiting' as const, key: 'belongElsewhere', values: { what } }
  if (where === '') return { tone: 'waiting' as const, key: 'belongToNobody', values: { what } }
  const isOne = [...sums.values()].reduce((sum, count) => sum + count, 0) === 1
  const named = where === '?' ? sharedText(runtime, 'orphans.unknownAddress') : where
  return { tone: 'waiting' as const, key: isOne ? 'belongsTo' : 'belongTo', values: { what, where: named } }
}

/** Lists the counts, for example "3 orders and 2 waits". */
function listed(runtime: Runtime, counts: Counts): string {
  const parts = KINDS.flatMap((kind) => {
    const count = counts.get(kind) ?? 0
    return count > 0 ? [countText(runtime, kind, count)] : []
  })
  const last = parts.pop() ?? ''
  return parts.length === 0 ? last : sharedText(runtime, 'orphans.and', { first: parts.join(', '), last })
}

export const countText = (runtime: Runtime, kind: OrphanKind, count: number): string =>
  sharedText(runtime, `orphans.${count === 1 ? 'one' : 'count'}.${kind}`, { count })
