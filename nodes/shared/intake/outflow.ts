/**
 * Sends the messages of an intake into the flow: in the order of their arrival, only as much at once as the memory has room for,
 * and again after a while what no one has taken. Those that may have ended the process come first, one at a time.
 */
import type { Clock } from '../../../lib/clock.ts'
import type { Marks, Suspect } from '../handling/marks.ts'
import { afterTurning, oneAtATime, SURVIVED_MS } from '../handling/one-at-a-time.ts'
import type { Entry } from './intake-store.ts'

export interface OutflowOptions {
  clock: Clock
  /** The first entry after an id that no one has taken. */
  next: (afterId: number) => Entry | undefined
  send: (entry: Entry) => void
  /** After how many ms a message that no one has taken is sent again; 0 for never. */
  repeatMs: number
  /** Called when the next entry cannot be read; the messages then wait for the next one that comes, or for the repetition. */
  onError: (failure: unknown) => void
  /** Where messages are marked while they are on their way; omitted by a queue that does not count what ends the process. */
  handling?: Handling
}

export interface Handling {
  marks: Pick<Marks<number>, 'begin' | 'beginAlone' | 'endTurn' | 'end'>
  suspects: readonly Suspect<number>[]
  /** An entry that no one has taken. */
  find: (id: number) => Entry | undefined
}

export interface Outflow {
  /** Sends what there is to send. */
  flow(): void
  /** Begins again with the oldest, after further messages that may have ended a process: others have left theirs to this queue. */
  takeOver(suspects: readonly Suspect<number>[]): void
  /** Makes room: a message was taken. */
  taken(id: number): void
  /** Whether a message that is written now is sent at once. */
  readonly isWaiting: boolean
  stop(): void
}

/** The most bytes, sealed, that are on their way through the flow. */
const MOST_UNDER_WAY = 64 * 1024 * 1024
/** Messages per turn of the event loop, which belongs to others, too, and their bytes. One that is larger is alone in its turn. */
const PER_TURN = 50
const BYTES_PER_TURN = 8 * 1024 * 1024

const NOT_COUNTED: Handling = {
  marks: { begin() {}, beginAlone() {}, endTurn() {}, end() {} },
  suspects: [],
  find: () => undefined,
}

export function createOutflow(options: OutflowOptions): Outflow {
  const { clock, next, send, repeatMs, onError, handling = NOT_COUNTED } = options
  const { marks } = handling
  /** Messages on their way: how large they are, and what gives up their room in time. */
  const underWay = new Map<number, { size: number; cancel: () => void }>()
  /** When each message was sent that no one has taken. */
  const sentAt = new Map<number, number>()
  let size = 0
  let last = 0
  let turn: NodeJS.Immediate | undefined
  let isStopped = false
  let isAtEnd = false
  let isStarted = false

  const leave = (id: number) => {
    const known = underWay.get(id)
    if (!known) return
    underWay.delete(id)
    known.cancel()
    size -= known.size
    flow()
  }
  /** A message that no one takes gives up its room, so that some that fail do not hold up the others. */
  const survived = (id: number) => {
    orTell(() => marks.end([id]))
    leave(id)
  }

  function sendOne(entry: Entry) {
    size += entry.size
    underWay.set(entry.id, { size: entry.size, cancel: afterTurning(clock, SURVIVED_MS, () => survived(entry.id)) })
    sentAt.set(entry.id, clock.now())
    send(entry)
  }

  function isDue(id: number): boolean {
    const at = sentAt.get(id)
    return !underWay.has(id) && (at === undefined || (repeatMs > 0 && clock.now() - at >= repeatMs))
  }

  function sendSome() {
    turn = undefined
    if (isStopped || !suspects.isOver) return
    const due: Entry[] = []
    let looked = last
    const room = MOST_UNDER_WAY - size
    let found = 0
    isAtEnd = false
    for (let count = 0; count < PER_TURN && found < Math.min(room, BYTES_PER_TURN) && !isAtEnd; count += 1) {
      const entry = next(looked)
      isAtEnd = entry === undefined
      looked = entry?.id ?? looked
      if (!entry || !isDue(entry.id)) continue
      due.push(entry)
      found += entry.size
    }
    const unmarked = due.filter(({ isMarked }) => !isMarked).map(({ id }) => id)
    if (unmarked.length > 0) marks.begin(unmarked)
    last = looked
    due.forEach(sendOne)
    if (found < room && !isAtEnd) flow()
  }

  function sendSuspect(id: number): boolean {
    const sent = orTell(() => {
      const entry = handling.find(id)
      if (!entry) return false
      marks.beginAlone(id)
      sendOne(entry)
      return true
    })
    return sent ?? false
  }

  function orTell<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (failure) {
      onError(failure)
      return undefined
    }
  }

  function flow() {
    if (!isStopped) turn ??= setImmediate(() => orTell(sendSome))
  }

  const suspects = oneAtATime({
    clock,
    suspects: handling.suspects,
    send: sendSuspect,
    onTurnOver: () => orTell(marks.endTurn),
    onOver: flow,
  })

  /** Begins again with the oldest. */
  const again = () => {
    last = 0
    flow()
    cancelAgain = clock.after(repeatMs, again)
  }
  let cancelAgain = repeatMs > 0 ? clock.after(repeatMs, again) : () => {}

  return {
    flow() {
      if (isStarted) return flow()
      isStarted = true
      suspects.start()
    },
    takeOver(more) {
      last = 0
      if (isStarted) suspects.add(more)
      flow()
    },
    taken(id) {
      sentAt.delete(id)
      leave(id)
      suspects.done(id)
    },
    get isWaiting() {
      return suspects.isOver && isAtEnd
    },
    stop() {
      isStopped = true
      clearImmediate(turn)
      cancelAgain()
      suspects.stop()
      for (const { cancel } of underWay.values()) cancel()
    },
  }
}
