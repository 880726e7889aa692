/** Makes a list longer, as far as the server lists; what is older is found by narrowing the filter. */
export const PAGE_SIZE = 100
/** The longest list that the server gives. */
const MAX_SIZE = 500

interface ShowMoreProps {
  shown: number
  limit: number
  onMore(limit: number): void
}

export function ShowMore({ shown, limit, onMore }: ShowMoreProps) {
  if (shown < limit) return null
  if (limit >= MAX_SIZE) return <p class="fine">Only the newest {MAX_SIZE} are shown.</p>
  return (
    <button type="button" onClick={() => onMore(limit + PAGE_SIZE)}>
      Show more
    </button>
  )
}
