/** Does work for many callers at once: for all that have called in the same turn of the event loop. */

/** `work` gets what the callers gave and returns as many answers, in the same order; what it throws, all of its callers get. */
export function inGroups<Given, Answer>(work: (all: Given[]) => Answer[]): (given: Given) => Promise<Answer> {
  let waiting: { given: Given; resolve: (answer: Answer) => void; reject: (failure: unknown) => void }[] = []
  const run = () => {
    const group = waiting
    waiting = []
    try {
      const answers = work(group.map(({ given }) => given))
      for (const [index, { resolve }] of group.entries()) resolve(answers[index]!)
    } catch (failure) {
      for (const { reject } of group) reject(failure)
    }
  }
  return (given) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(run)
      waiting.push({ given, resolve, reject })
    })
}
