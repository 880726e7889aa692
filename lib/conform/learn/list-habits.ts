/** How a host answers its lists: their envelope, and which filters it applies. */
import { FILTERS, type FilterName } from '../../profile/list-habits.ts'
import { type Host, TASKS } from '../host.ts'
import { isSuccess } from '../judge.ts'
import type { Json } from '../stage/sample.ts'
import { type Learnt, seen, untold } from './learnt.ts'

/** Returns the property that holds the only array; null when the body is the array. Undefined when neither is so. Pure. */
export function envelopeOf(body: unknown): string | null | undefined {
  if (Array.isArray(body)) return null
  const arrays = Object.entries(Object(body) as Json).filter(([, value]) => Array.isArray(value))
  return arrays.length === 1 ? arrays[0]![0] : undefined
}

export function learnEnvelope(body: unknown): Learnt {
  const envelope = envelopeOf(body)
  return envelope === undefined
    ? untold('list.envelope', 'the answer holds no array, or several')
    : seen('list.envelope', envelope, 'the list of document types')
}

/** @param unusedId what no task has, neither as its document’s id nor as that of a saved document */
export async function learnFilters(host: Host, unusedId: string): Promise<Learnt> {
  const applied: FilterName[] = []
  for (const filter of FILTERS) if (await isApplied(host, filter, unusedId)) applied.push(filter)
  return seen('list.filters', applied, 'lists narrowed by each of them')
}

async function isApplied(host: Host, filter: FilterName, unusedId: string): Promise<boolean> {
  const list = async (value: string | boolean) => itemsBy(host, { [filter]: value })
  if (filter === 'isArchived' || filter === 'isFiled') return areDisjoint(await list(true), await list(false))
  const items = await list(filter === 'status' ? 'Cancelled' : unusedId)
  return items?.every(({ status }) => filter === 'status' && status === 'Cancelled') ?? false
}

/** The tasks of a list; null when the host refuses it. */
export async function itemsBy(host: Host, query: Record<string, string | number | boolean>): Promise<Json[] | null> {
  const answer = await host.get(TASKS, { query })
  const items = host.itemsOf(answer)
  return isSuccess(answer.status) && items !== null ? items.map((item) => Object(item) as Json) : null
}

function areDisjoint(some: Json[] | null, others: Json[] | null): boolean {
  const ids = new Set(some?.map(({ taskId }) => taskId))
  return some !== null && others !== null && !others.some(({ taskId }) => ids.has(taskId))
}
