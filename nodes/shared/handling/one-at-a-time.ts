/** Handles messages that may have ended the process one at a time, so that its next death shows which of them it was. */
import type { Clock } from '../../../lib/clock.ts'
import type { Suspect } from './marks.ts'

export interface OneAtATimeOptions<Id> {
  clock: Clock
  suspects: readonly Suspect<Id>[]
  /** Handles a message. Returns false when there is nothing to handle any more. Must not throw. */
  send: (id: Id) => boolean
  /** Called when the process has survived a turn whose message is not done. Must not throw. */
  onTurnOver: () => void
  /** Called when each has had its turn; by `start` when there are none. */
  onOver: () => void
}

export interface OneAtATime<Id> {
  /** Gives the first message its turn. */
  start(): void
  /** Gives further messages their turns, after those that wait for theirs. */
  add(more: readonly Suspect<Id>[]): void
  /** The message is done, so the next one need not wait longer. */
  done(id: Id): void
  stop(): void
  readonly isOver: boolean
}

/** How long a message is under way unless it is done before: a process that lives for so long afterwards has survived it. */
export const SURVIVED_MS = 30_000
/** How long a suspect is alone the first time: most messages that end the process do so at once. */
const ALONE_MS = 3000

export function oneAtATime<Id>({ clock, suspects, send, onTurnOver, onOver }: OneAtATimeOptions<Id>): OneAtATime<Id> {
  let waiting = mostDeathsFirst(suspects)
  let current: Suspect<Id> | undefined
  let leave = () => {}
  let isOver = false

  function next() {
    leave()
    current = waiting.shift()
    if (current) leave = lineUp(begin)
    else {
      isOver = true
      onOver()
    }
  }

  function begin() {
    const suspect = current!
    const leaveLine = leave
    if (!send(suspect.id)) return next()
    // It may be done already.
    if (current !== suspect) return
    const aloneMs = suspect.deaths > 1 ? SURVIVED_MS : ALONE_MS
    const cancel = afterTurning(clock, aloneMs, () => {
      onTurnOver()
      next()
    })
    leave = () => {
      cancel()
      leaveLine()
    }
  }

  return {
    start: next,
    add(more) {
      waiting = mostDeathsFirst([...waiting, ...more])
      if (!isOver || more.length === 0) return
      isOver = false
      next()
    },
    done(id) {
      if (id === current?.id) next()
    },
    stop() {
      waiting = []
      current = undefined
      leave()
    },
    get isOver() {
      return isOver
    },
  }
}

/** Those that are more likely to end the process come first, because a process that is often ended may not get to the last of them. */
const mostDeathsFirst = <Id>(suspects: readonly Suspect<Id>[]): Suspect<Id>[] =>
  suspects.toSorted((a, b) => b.deaths - a.deaths)

/** The suspects of all queues of this process, in turn; the first one is being handled. */
const line: (() => void)[] = []

/** Calls `begin` in its turn, never before it returns. Returns a function that leaves the line. */
function lineUp(begin: () => void): () => void {
  const turn = () => {
    setImmediate(() => line[0] === turn && begin())
  }
  line.push(turn)
  if (line.length === 1) turn()
  return () => {
    const place = line.indexOf(turn)
    if (place < 0) return
    line.splice(place, 1)
    if (place === 0) line[0]?.()
  }
}

/** In how many steps time is measured: a blocked event loop makes one step late, and the others follow. */
const STEPS = 6

/** Calls back after a time in which the event loop has turned. Returns a function that cancels it. */
export function afterTurning(clock: Clock, ms: number, callback: () => void): () => void {
  let steps = 0
  let cancel = () => {}
  const step = () => {
    steps += 1
    if (steps > STEPS) callback()
    else cancel = clock.after(ms / STEPS, step)
  }
  step()
  return () => cancel()
}
