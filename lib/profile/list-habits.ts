/** How a host answers lists: what wraps them, how they are paged, and what they can be narrowed by. */
import * as z from 'zod'
import { rule } from '../contract/primitives.ts'
import { name, part, told, whole } from './values.ts'

/** The filters that a list can have. */
export const FILTERS = ['externalSavedDocumentIds', 'externalDocId', 'isArchived', 'isFiled', 'status'] as const
export type FilterName = (typeof FILTERS)[number]

const filterName = z.enum(FILTERS, rule(`one of ${FILTERS.join(', ')}`))

/** Pages by number, or by how many tasks come before them. */
const NumberedPages = z.strictObject(
  {
    pageParameter: told(name(), 'Page parameter', 'The query parameter that says which page.', 'page'),
    counts: told(
      z.enum(['pages', 'tasks'], rule('pages or tasks')).default('pages'),
      'Counts',
      'What the parameter counts: pages, or the tasks before the page (an offset).',
      'pages',
    ),
    firstPage: told(whole(0, 1).default(1), 'First page', 'The number of the first page, 0 or 1.', 1),
    sizeParameter: told(
      name().optional(),
      'Size parameter',
      'The query parameter for the tasks per page; omitted where the host decides.',
      'pageSize',
    ),
    pageSize: told(whole(1, 500).default(100), 'Page size', 'Tasks per page.', 100),
  },
  rule('an object with a pageParameter'),
)
export type NumberedPages = z.output<typeof NumberedPages>

const PAGING = '"link", "none", or an object with a pageParameter'

const FILTER_NAMES = `an object with names of parameters for ${FILTERS.join(', ')}`

export const ListHabits = part({
  envelope: told(
    name().nullable().default(null),
    'Envelope',
    'The property that holds the array of every list; null when a list is the array itself.',
    'items',
  ),
  paging: told(
    z.union([z.enum(['link', 'none']), NumberedPages], { error: () => PAGING }).default('link'),
    'Paging',
    'link: limit and before, or what the Link header says; none: one answer has all; or numbered pages.',
    'none',
    { pageParameter: 'page', sizeParameter: 'pageSize', pageSize: 50 },
  ),
  filters: told(
    z.array(filterName, rule('an array of names of filters')).default([...FILTERS]),
    'Filters',
    'The filters of the task list that the host knows. The client applies all of them itself as well.',
    ['externalDocId'],
  ),
  filterNames: told(
    z
      .partialRecord(filterName, name(), rule(FILTER_NAMES))
      .refine((names) => isDistinct(FILTERS.map((filter) => names[filter] ?? filter)), 'another name for each filter')
      .default({}),
    'Filter names',
    'The query parameters of filters that have another name at the host.',
    { externalDocId: 'docRef' },
  ),
})

const isDistinct = (names: readonly string[]) => new Set(names).size === names.length

/** Returns the query parameter of a filter. */
export const parameterOf = ({ filterNames }: z.output<typeof ListHabits>, filter: FilterName): string =>
  filterNames[filter] ?? filter
