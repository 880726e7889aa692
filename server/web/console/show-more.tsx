/** Makes a list longer, as far as the server lists at once, and then continues with what is older than its last line. */
import { t } from '../words/words.ts'

const PAGE_SIZE = 100
/** The longest list that the server gives. */
const MAX_SIZE = 500

/** Which part of a list is shown. */
export interface Part {
  limit: number
  /** The id behind which it begins; null: with the newest. */
  before: number | null
}

export const NEWEST: Part = { limit: PAGE_SIZE, before: null }

export const queryOf = ({ limit, before }: Part) => ({
  limit: `${limit}`,
  ...(before !== null && { before: `${before}` }),
})

/** Returns the part that the address names, and what a change of it writes there. */
export const partIn = (query: URLSearchParams): Part => ({
  limit: Math.min(MAX_SIZE, Number(query.get('limit')) || PAGE_SIZE),
  before: Number(query.get('before')) || null,
})
export const partWords = ({ limit, before }: Part) => ({
  limit: limit === PAGE_SIZE ? null : `${limit}`,
  before: before === null ? null : `${before}`,
})

interface ShowMoreProps {
  /** The ids of what is shown, in order. */
  ids: readonly number[]
  part: Part
  onPart(part: Part): void
}

export function ShowMore({ ids, part, onPart }: ShowMoreProps) {
  const turn = (before: number | null) => {
    onPart({ ...NEWEST, before })
    scrollTo({ top: 0 })
  }
  const last = ids.length < part.limit ? undefined : ids.at(-1)
  const isLongest = part.limit >= MAX_SIZE
  return (
    <>
      {last !== undefined && !isLongest && (
        <button type="button" onClick={() => onPart({ ...part, limit: part.limit + PAGE_SIZE })}>
          {t('list.more')}
        </button>
      )}
      {last !== undefined && isLongest && (
        <button type="button" onClick={() => turn(last)}>
          {t('list.older')}
        </button>
      )}
      {part.before !== null && (
        <button type="button" onClick={() => turn(null)}>
          {t('list.newest')}
        </button>
      )}
    </>
  )
}
