/** Repeats work for pages that are open, and stops while there are none, so that an idle service is not woken. */

export interface WhileFollowed {
  /** There is someone to do it for. */
  begin(): void
  /** There is no one left. */
  end(): void
}

/** Each work handles its own errors. */
type Work = () => unknown

/** No round of a work begins before its last one has ended, however slow the store is. */
export function whileFollowed(...works: readonly (readonly [everyMs: number, work: Work])[]): WhileFollowed {
  const rounds = works.map(([everyMs, work]) => [everyMs, oneAtATime(work)] as const)
  let timers: NodeJS.Timeout[] = []
  return {
    begin() {
      if (timers.length === 0) timers = rounds.map(([everyMs, round]) => setInterval(round, everyMs).unref())
    },
    end() {
      for (const timer of timers.splice(0)) clearInterval(timer)
    },
  }
}

function oneAtATime(work: Work): () => void {
  let isUnderWay = false
  return () => {
    if (isUnderWay) return
    const result = work()
    if (!(result instanceof Promise)) return
    isUnderWay = true
    void result.finally(() => {
      isUnderWay = false
    })
  }
}
