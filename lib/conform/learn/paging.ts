/** How a host pages its list of tasks: tried with the names that hosts usually have for it. */
import { type Host, TASKS } from '../host.ts'
import { type Learnt, seen, untold } from './learnt.ts'
import { firstOf, itemsBy } from './list-habits.ts'

const SIZES = ['pageSize', 'perPage', 'per_page', 'page_size', 'limit', 'size', 'count', 'top', 'take', 'max']
const PAGES = ['page', 'pageNo', 'pageNumber', 'page_number', 'pageIndex', 'p', 'offset', 'skip', 'start', 'from']

/** Two tasks to a page tell a number of a page from a number of tasks. */
const SIZE = 2
/** Two pages. */
const LEAST = 2 * SIZE

type Query = Record<string, string | number>

export async function learnPaging(host: Host): Promise<Learnt> {
  const path = 'list.paging'
  const idsBy = async (query: Query) => (await itemsBy(host, query))?.map(({ taskId }) => taskId) ?? null
  const all = (await idsBy({})) ?? []
  if (all.length < LEAST) return untold(path, `it takes a list of ${LEAST} tasks`)
  const { headers } = await host.get(TASKS, { query: { limit: SIZE } })
  if (/rel="?next/.test(headers.get('link') ?? '')) return seen(path, 'link', 'the header Link of a list')

  const sizeParameter = await firstOf(SIZES, async (name) => (await idsBy({ [name]: SIZE }))?.length === SIZE)
  if (sizeParameter === undefined) return untold(path, 'no usual name for the size of a page changes the list')
  for (const pageParameter of PAGES) {
    const page = async (number: number) => idsBy({ [sizeParameter]: SIZE, [pageParameter]: number })
    const counting = countingOf(all, await page(1), await page(2))
    if (!counting) continue
    // One more than it gives by itself: a host that then gives more has pages of that size.
    const more = await idsBy({ [sizeParameter]: all.length + 1 })
    const isFull = (more?.length ?? 0) > all.length
    const value = { pageParameter, ...counting, sizeParameter, ...(isFull && { pageSize: all.length }) }
    return seen(
      path,
      value,
      isFull ? 'lists of different pages' : 'lists of different pages; their size stays the default',
    )
  }
  return untold(path, 'no usual name for the number of a page changes the list')
}

/**
 * Returns what the parameter counts; null when it changes nothing. Pure.
 * @param all the first tasks, at least four
 * @param one what the host answers for 1, and `two` for 2, with two tasks to a page
 */
export function countingOf(all: readonly unknown[], one: readonly unknown[] | null, two: readonly unknown[] | null) {
  const begins = (page: readonly unknown[] | null) => (page?.length === SIZE ? all.indexOf(page[0]) : -1)
  if (begins(one) === SIZE) return { firstPage: 0 } as const
  if (begins(one) === 1) return { counts: 'tasks' } as const
  return begins(one) === 0 && begins(two) === SIZE ? ({ firstPage: 1 } as const) : null
}
