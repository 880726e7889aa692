/** The parameters of a list as a host knows them, and what asks for its next page. Pure. */
import type { HostProfile } from '../../profile/host-profile.ts'
import { FILTERS, type NumberedPages, parameterOf } from '../../profile/list-habits.ts'
import type { PageQuery } from './page-facts.ts'
import type { TaskQuery } from './task-filter.ts'

type Listing = HostProfile['list']

/** Returns the parameters to send. @param page as an earlier page asked for; undefined for the first one */
export function listParameters(query: TaskQuery, page: PageQuery | undefined, list: Listing) {
  const { paging, filters } = list
  const known = FILTERS.filter((name) => filters.includes(name) && query[name] !== undefined)
  const filter: Record<string, unknown> = Object.fromEntries(
    known.map((name) => [parameterOf(list, name), query[name]]),
  )
  if (paging === 'none') return filter
  if (page) return { ...filter, ...page }
  if (paging !== 'link') return { ...filter, ...firstPage(paging, query.limit) }
  const { limit, before } = query
  return { ...filter, ...(limit !== undefined && { limit }), ...(before !== undefined && { before }) }
}

const firstPage = (paging: NumberedPages, limit: number | undefined): PageQuery => ({
  [paging.pageParameter]: String(paging.counts === 'tasks' ? 0 : paging.firstPage),
  ...sizeOf(paging, limit),
})

const sizeOf = ({ sizeParameter, pageSize }: NumberedPages, limit = pageSize): PageQuery =>
  sizeParameter === undefined ? {} : { [sizeParameter]: String(limit) }

/** The query of a page, the number of tasks that came, and the Link header of the answer. */
export interface AnsweredPage {
  sent: Readonly<Record<string, unknown>>
  received: number
  link: string | undefined
}

/** Returns what asks for the page after this one, and whether this one is known to be the last. */
export function nextPage(page: AnsweredPage, { paging }: Listing): { next: PageQuery | null; isLast: boolean } {
  if (paging === 'none') return { next: null, isLast: true }
  if (paging === 'link') return { next: nextOfLink(page.link), isLast: false }
  const size = paging.sizeParameter === undefined ? 1 : Number(page.sent[paging.sizeParameter])
  if (page.received < size) return { next: null, isLast: true }
  const at = Number(page.sent[paging.pageParameter])
  const number = paging.counts === 'tasks' ? at + page.received : at + 1
  const parameters = [paging.pageParameter, paging.sizeParameter].filter((name) => name !== undefined)
  const same = Object.fromEntries(parameters.map((name) => [name, String(page.sent[name])]))
  return { next: { ...same, [paging.pageParameter]: String(number) }, isLast: false }
}

/** The parameters of the URL that a Link header calls next. Only these are used: the key goes to the base URL and nowhere else. */
export function nextOfLink(link: string | undefined): Record<string, string[]> | null {
  const target = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(link ?? '')?.[1]
  const url = target === undefined ? null : URL.parse(target, 'http://host.invalid')
  if (!url) return null
  const names = [...new Set(url.searchParams.keys())]
  return Object.fromEntries(names.map((name) => [name, url.searchParams.getAll(name)]))
}
