/** Makes a list longer, up to what the server lists at most; older things are found by narrowing the filter. */
export const PAGE = 100
const MOST = 500

interface ShowMoreProps {
  shown: number
  limit: number
  onMore(limit: number): void
}

export function ShowMore({ shown, limit, onMore }: ShowMoreProps) {
  if (shown < limit) return null
  if (limit >= MOST) return <p class="fine">The newest {MOST} are shown.</p>
  return (
    <button type="button" onClick={() => onMore(limit + PAGE)}>
      Show more
    </button>
  )
}
