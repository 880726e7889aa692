/** Loads what the signer has signed or rejected, a page at a time: all of it, or the results of a search. */
import { useEffect, useState } from 'preact/hooks'
import type { Past, PastFound } from '../../../operations/signer/messages.ts'
import { call, sentenceOf } from '../../shared/api.ts'
import { startOf } from '../../shared/format.ts'

/** How many the service sends at once. */
const PAGE_SIZE = 100
/** A search begins when nothing more was typed for this long. */
const TYPING_MS = 250

export interface PastList {
  /** The newest first. */
  documents: readonly Past[]
  state: 'loading' | 'more' | 'all'
  /** A sentence; empty when nothing is wrong. */
  problem: string
}

/** The filter of the list: documents with all words of the search, signed or rejected on certain days of the reader. */
export interface Wanted {
  search: string
  /** The first and the last day, YYYY-MM-DD; empty for any. */
  first: string
  last: string
}

/** Where the list continues: before this task. Null at its end; undefined at its beginning. */
type Place = number | null | undefined

/** Returns the list, and what loads its next page. */
export function usePast({ search, first, last }: Wanted): [list: PastList, loadMore: () => void] {
  const [place, setPlace] = useState<Place>(undefined)
  const [list, setList] = useState<PastList>({ documents: [], state: 'loading', problem: '' })
  const isNarrowed = search !== '' || first !== '' || last !== ''
  const load = async (known: readonly Past[], from: Place, isWanted: () => boolean) => {
    const found = [...known]
    const show = (state: PastList['state'], problem = '') => {
      if (isWanted()) setList({ documents: [...found], state, problem })
    }
    show('loading')
    let at = from
    try {
      do {
        const page = await (isNarrowed ? searched({ search, first, last }, at) : listed(at))
        found.push(...page.documents)
        at = page.goesOnBefore
        show(at === null ? 'all' : 'loading')
        // A search may look at many documents and find few.
      } while (at !== null && found.length < known.length + PAGE_SIZE && isWanted())
      if (at !== null) show('more')
    } catch (failure) {
      show('more', sentenceOf(failure))
    }
    if (isWanted()) setPlace(at)
  }
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(() => void load([], undefined, () => isCurrent), search ? TYPING_MS : 0)
    return () => {
      clearTimeout(timer)
      isCurrent = false
    }
  }, [search, first, last])
  return [list, () => void load(list.documents, place, () => true)]
}

async function listed(before: Place): Promise<PastFound> {
  const from = typeof before === 'number' ? `?before=${before}` : ''
  const documents = await call<Past[]>('GET', `/inbox/api/past${from}`)
  return { documents, goesOnBefore: documents.length === PAGE_SIZE ? documents.at(-1)!.taskId : null }
}

/** Posted, because an address must not name a patient. */
const searched = ({ search, first, last }: Wanted, before: Place): Promise<PastFound> =>
  call('POST', '/inbox/api/past/search', {
    search,
    ...(startOf(first) && { from: startOf(first) }),
    ...(startOf(last) && { until: startOf(last, 1) }),
    ...(typeof before === 'number' && { before }),
  })
