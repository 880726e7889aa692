/** What is done again and again for pages that are open, and not at all while none is: a service at rest should not be woken. */

export interface WhileFollowed {
  /** There is somebody to do it for. */
  begin(): void
  /** There is nobody left. */
  end(): void
}

export function whileFollowed(...works: readonly (readonly [everyMs: number, work: () => void])[]): WhileFollowed {
  let timers: NodeJS.Timeout[] = []
  return {
    begin() {
      if (timers.length === 0) timers = works.map(([everyMs, work]) => setInterval(work, everyMs).unref())
    },
    end() {
      for (const timer of timers.splice(0)) clearInterval(timer)
    },
  }
}
