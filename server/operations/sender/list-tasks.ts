import type { RequestOf } from '../../../lib/contract/calls.ts'
import type { HostProfile } from '../../../lib/profile/host-profile.ts'
import { FILTERS, type FilterName, type NumberedPages, parameterOf } from '../../../lib/profile/list-habits.ts'
import { DEFAULT_PAGE_SIZE, MOST_LISTED } from '../../choices.ts'
import type { SenderContext, SenderRun } from './sender-context.ts'
import { taskOnTheWire } from './task-on-the-wire.ts'

type Query = RequestOf<'listTasks'>['query']

/** Lists tasks, newest first, without documents, in pages as the host has them. */
export const run: SenderRun<'listTasks'> = async (context, { query }) => {
  const { list } = context.profile
  const { paging } = list
  if (paging === 'link') return linkedPage(context, query)
  const asked = {
    ...filtersOf(list, query),
    ...(paging === 'none' ? { limit: MOST_LISTED } : numberedPage(paging, query)),
  }
  return (await context.store.tasks.list(asked)).map((task) => taskOnTheWire(task))
}

/** A Link header names the next page while there is one. */
async function linkedPage({ store, linkNext, profile: { list } }: SenderContext, query: Query) {
  const { limit = DEFAULT_PAGE_SIZE, before } = query
  const filters = filtersOf(list, query)
  const found = await store.tasks.list({ ...filters, before, limit: limit + 1 })
  const page = found.slice(0, limit)
  const last = page.at(-1)
  if (found.length > limit && last) {
    const texts = Object.entries(filters).map(([filter, value]) => [
      parameterOf(list, filter as FilterName),
      Array.isArray(value) ? value : String(value),
    ])
    linkNext({ ...Object.fromEntries(texts), limit: String(limit), before: String(last.id) })
  }
  return page.map((task) => taskOnTheWire(task))
}

/** The filters that were given, by their own names. The parameters have those of the profile, and its schema has read them. */
function filtersOf(list: HostProfile['list'], query: Query): Partial<Pick<Query, FilterName>> {
  const given = query as Readonly<Record<string, unknown>>
  const values = FILTERS.map((filter) => [filter, given[parameterOf(list, filter)]] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

function numberedPage({ pageParameter, sizeParameter, counts, firstPage, pageSize }: NumberedPages, query: Query) {
  const given = query as Readonly<Record<string, unknown>>
  const limit = Number((sizeParameter !== undefined && given[sizeParameter]) || pageSize)
  const at = Number(given[pageParameter] ?? (counts === 'tasks' ? 0 : firstPage))
  return { limit, offset: counts === 'tasks' ? at : (at - firstPage) * limit }
}
