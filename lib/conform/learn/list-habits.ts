/** How a host answers its lists: their envelope, and which filters it applies. */
import { FILTERS, type FilterName, parameterOf } from '../../profile/list-habits.ts'
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

/** Returns the names that the parameter of a filter usually has: that of the interface first. Pure. */
export function filterParametersOf(filter: FilterName): string[] {
  const snakeCase = filter.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return [...new Set([filter, snakeCase, snakeCase.replace(/^is_/, '')])]
}

/** @param unusedId what no task has, neither as its document’s id nor as that of a saved document */
export async function learnFilters(host: Host, unusedId: string): Promise<Learnt[]> {
  const { list } = host.profile
  const found = new Map<FilterName, string>()
  for (const filter of FILTERS) {
    const parameters = new Set([parameterOf(list, filter), ...filterParametersOf(filter)])
    const parameter = await firstOf(parameters, (candidate) => isApplied(host, filter, candidate, unusedId))
    if (parameter !== undefined) found.set(filter, parameter)
  }
  const renamed = [...found].filter(([filter, parameter]) => filter !== parameter)
  return [
    seen('list.filters', [...found.keys()], 'lists narrowed by each of them'),
    ...(renamed.length > 0 ? [seen('list.filterNames', Object.fromEntries(renamed), 'the same lists')] : []),
  ]
}

/** Returns the first name that fits; undefined when none does. */
export async function firstOf(
  names: Iterable<string>,
  fits: (name: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const name of names) if (await fits(name)) return name
  return undefined
}

async function isApplied(host: Host, filter: FilterName, parameter: string, unusedId: string): Promise<boolean> {
  const list = async (value: string | boolean) => itemsBy(host, { [parameter]: value })
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
