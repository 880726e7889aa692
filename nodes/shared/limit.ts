/** How many calls may be under way at once; the others wait their turn in the order they came. */
export interface Limit {
  run<T>(work: () => Promise<T>): Promise<T>
}

export function createLimit(max: number): Limit {
  const waiting: (() => void)[] = []
  let running = 0

  const leave = () => {
    const next = waiting.shift()
    if (next) return next()
    running -= 1
  }

  return {
    async run(work) {
      if (running < max) running += 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
