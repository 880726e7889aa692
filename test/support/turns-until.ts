import { setImmediate as nextTurn } from 'node:timers/promises'

/** Resolves when the work has, with how many turns of the event loop others had in between. Rejects when the work does. */
export async function turnsUntil(work: Promise<unknown>): Promise<number> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  done.catch(() => {})
  let turns = 0
  for (; !isDone; turns += 1) await nextTurn()
  await done
  return turns
}
