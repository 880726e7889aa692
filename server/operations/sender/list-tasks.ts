import { DEFAULT_PAGE_SIZE } from '../../choices.ts'
import type { SenderRun } from './sender-context.ts'
import { taskOnTheWire } from './task-on-the-wire.ts'

/** Lists tasks, newest first, without documents. A Link header names the next page while there is one. */
export const run: SenderRun<'listTasks'> = async ({ store, linkNext }, { query }) => {
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
