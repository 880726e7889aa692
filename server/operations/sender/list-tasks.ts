import type { RequestOf } from '../../../lib/contract/calls.ts'
import { FILTERS, type NumberedPages } from '../../../lib/profile/list-habits.ts'
import { DEFAULT_PAGE_SIZE, MOST_LISTED } from '../../choices.ts'
import type { SenderContext, SenderRun } from './sender-context.ts'
import { taskOnTheWire } from './task-on-the-wire.ts'

type Query = RequestOf<'listTasks'>['query']

/** Lists tasks, newest first, without documents, in pages as the host has them. */
export const run: SenderRun<'listTasks'> = async (context, { query }) => {
  const { paging } = context.profile.list
  if (paging === 'link') return linkedPage(context, query)
  const asked = { ...filtersOf(query), ...(paging === 'none' ? { limit: MOST_LISTED } : numberedPage(paging, query)) }
  return (await context.store.tasks.list(asked)).map((task) => taskOnTheWire(task))
}

/** A Link header names the next page while there is one. */
async function linkedPage({ store, linkNext }: SenderContext, query: Query) {
  const { limit = DEFAULT_PAGE_SIZE, before, ...filters } = query
  const found = await store.tasks.list({ ...filters, before, limit: limit + 1 })
  const page = found.slice(0, limit)
  const last = page.at(-1)
  if (found.length > limit && last) {
    const kept = Object.entries(filters).filter(([, value]) => value !== undefined)
    const texts = kept.map(([name, value]) => [name, Array.isArray(value) ? value : String(value)])
    linkNext({ ...Object.fromEntries(texts), limit: String(limit), before: String(last.id) })
  }
  return page.map((task) => taskOnTheWire(task))
}

const filtersOf = (query: Query) =>
  Object.fromEntries(FILTERS.filter((name) => query[name] !== undefined).map((name) => [name, query[name]]))

/** The parameters have the names of the profile, and its schema has read them. */
function numberedPage({ pageParameter, sizeParameter, counts, firstPage, pageSize }: NumberedPages, query: Query) {
  const given = query as Readonly<Record<string, unknown>>
  const limit = Number((sizeParameter !== undefined && given[sizeParameter]) || pageSize)
  const at = Number(given[pageParameter] ?? (counts === 'tasks' ? 0 : firstPage))
  return { limit, offset: counts === 'tasks' ? at : (at - firstPage) * limit }
}
