/**
 * Sends the messages of an intake into the flow: in the order of their arrival, only as much at once as the memory has room for,
 * and again after a while what nobody has taken.
 */
import type { Clock } from '../../../lib/clock.ts'
import type { Entry } from './intake-store.ts'

export interface OutflowOptions {
  clock: Clock
  /** The first entry after an id that nobody has taken. */
  next: (afterId: number) => Entry | undefined
  send: (entry: Entry) => void
  /** After how many ms a message that nobody has taken is sent again; 0 for never. */
  repeatMs: number
  /** Told when the next entry cannot be read; the messages then wait for the next one that comes, or for the repetition. */
  onError: (failure: unknown) => void
}

export interface Outflow {
  /** Sends what there is to send. */
  flow(): void
  /** Makes room: a message was taken. */
  taken(id: number): void
  stop(): void
}

/** The most bytes, sealed, that are on their way through the flow. */
const MOST_UNDER_WAY = 64 * 1024 * 1024
/** How long a message that nobody takes keeps its room, so that some that fail do not hold up the others. */
const ROOM_MS = 30_000
/** Messages per turn of the event loop, which belongs to others, too. */
const PER_TURN = 50

export function createOutflow({ clock, next, send, repeatMs, onError }: OutflowOptions): Outflow {
  /** Messages on their way: how large they are, and what gives up their room in time. */
  const underWay = new Map<number, { size: number; cancel: () => void }>()
  /** When each message was sent that nobody has taken. */
  const sentAt = new Map<number, number>()
  let size = 0
  let last = 0
  let turn: NodeJS.Immediate | undefined
  let isStopped = false

  const leave = (id: number) => {
    const known = underWay.get(id)
    if (!known) return
    underWay.delete(id)
    known.cancel()
    size -= known.size
    flow()
  }

  function sendOne(entry: Entry) {
    size += entry.size
    underWay.set(entry.id, { size: entry.size, cancel: clock.after(ROOM_MS, () => leave(entry.id)) })
    sentAt.set(entry.id, clock.now())
    send(entry)
  }

  const wasJustSent = (id: number) => clock.now() - (sentAt.get(id) ?? Number.NEGATIVE_INFINITY) < repeatMs

  function sendSome() {
    turn = undefined
    for (let looked = 0; looked < PER_TURN; looked += 1) {
      if (isStopped || size >= MOST_UNDER_WAY) return
      const entry = next(last)
      if (entry === undefined) return
      last = entry.id
      if (!underWay.has(entry.id) && !wasJustSent(entry.id)) sendOne(entry)
    }
    flow()
  }

  function sendOrTell() {
    try {
      sendSome()
    } catch (failure) {
      onError(failure)
    }
  }

  function flow() {
    if (!isStopped) turn ??= setImmediate(sendOrTell)
  }

  /** Begins anew with the oldest. */
  const again = () => {
    last = 0
    flow()
    cancelAgain = clock.after(repeatMs, again)
  }
  let cancelAgain = repeatMs > 0 ? clock.after(repeatMs, again) : () => {}

  return {
    flow,
    taken(id) {
      sentAt.delete(id)
      leave(id)
    },
    stop() {
      isStopped = true
      clearImmediate(turn)
      cancelAgain()
      for (const { cancel } of underWay.values()) cancel()
    },
  }
}
