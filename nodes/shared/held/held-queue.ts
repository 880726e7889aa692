/**
 * The messages that someone has to look at before a flow can continue with them: sealed on the disk until they are resent and another
 * node has taken them over, or until someone discards them. What was resent before a crash is sent again after it, unless it has ended the process twice.
 */
import { createHash, randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { serialize } from 'node:v8'
import type { Clock } from '../../../lib/clock.ts'
import { giveBack } from '../../../lib/memory.ts'
import { pack, unpack } from '../carry/pack.ts'
import type { Seal } from '../carry/seal.ts'
import type { Where } from '../database/where.ts'
import { afterTurning, type OneAtATime, oneAtATime, SURVIVED_MS } from '../handling/one-at-a-time.ts'
import { keeping, opening } from '../intake/keeping.ts'
import { acceptedBy, intakeId } from '../intake/taken.ts'
import { NodeError } from '../runtime/failures.ts'
import type { Message } from '../runtime/node-red.ts'
import { type HeldEntry, openHeldStore, type Sealed } from './held-store.ts'
import { type Summary, summaryOf } from './summary.ts'

export interface HeldQueueOptions {
  where: Where
  nodeId: string
  /** Under which other nodes take over what is resent; optional, the id of the node by default. */
  queueId?: string
  /** Names this process. */
  run: string
  seal: Seal
  clock: Clock
  maxMessages: number
  /** The most bytes of messages. */
  maxBytes: number
  /** The reason that is added to those of a message which has ended the process twice after it was resent. */
  endedReason: string
  /** Sends a message into the flow. */
  emit: (message: Message) => void
  /** Returns a message with another payload; by default, its other properties stay. */
  correct?: (message: Message, payload: unknown) => Message
  /** Called after each change of what is held. */
  onChanged: () => void
  /** Called with the names of properties that cannot be stored. */
  onDropped: (names: readonly string[]) => void
  /** Called when the file fails outside of a call, and of a message that cannot be opened and sent again; it stays where it is. */
  onError: (failure: unknown) => void
}

/** A held message as lists show it: no part of its contents. */
export interface HeldRow extends Summary {
  heldId: number
  /** False when it was sealed with another secret; the summary is then empty. */
  canBeOpened: boolean
  /** When it was held, or corrected; ISO 8601. */
  at: string
  /** When it was resent, if no node has taken it over since; else null. */
  resentAt: string | null
}

/** Every method throws the NodeError CANNOT_KEEP when the file cannot be read or written. */
export interface HeldQueue {
  /** Keeps a message, which is on the disk when it returns. Throws the NodeError HELD_FULL when there is no room. */
  hold(message: Message): void
  /** Does the same, and lets the event loop turn in between: a message may be large. */
  holdInTurns(message: Message): Promise<void>
  /** Returns the newest of them, at most `MOST_LISTED`, in the order of their arrival. `count` says how many there are. */
  list(): HeldRow[]
  /** Yields the id of each, in the order of their arrival, and reads a few at one go. */
  ids(): Iterable<number>
  /** Returns the payload of a held message. Throws the NodeError NOT_HELD or CANNOT_OPEN, as do those that follow. */
  payload(heldId: number): unknown
  /** Puts another payload in the place of the one that is held. */
  edit(heldId: number, payload: unknown): void
  /** Sends the message into the flow; it stays until a node has taken it over. */
  resend(heldId: number): void
  discard(heldId: number): void
  /**
   * Sends again what an earlier process has resent and no node has taken over: what may have ended that process one at a time, the
   * rest afterwards. What has ended it twice is held again.
   */
  resendLeftOver(): void
  /** Another node has taken over what was resent. Never throws. */
  taken(heldId: number): void
  readonly count: number
  /** The characters of all messages, as they are sealed. */
  readonly size: number
  /** How many messages have been held for longer than this. */
  heldFor(ms: number): number
  /** Returns a held message as it was held. Throws the NodeError NOT_HELD or CANNOT_OPEN. */
  message(heldId: number): Message
  /** @param isDeleted removes the file, unless messages are in it */
  close(isDeleted: boolean): void
}

/** How many messages a list has. A person reads no more, and lists are made each time that the sidebar refreshes. */
export const MOST_LISTED = 200

/** How many entries are read at one go, and the most messages of an earlier process that are under way at once. */
const PER_PAGE = 100
/** The most bytes of those. */
const BYTES_UNDER_WAY = 64 * 1024 * 1024

/** Throws the NodeError CANNOT_KEEP when the file cannot be had. */
export function openHeldQueue(options: HeldQueueOptions): HeldQueue {
  const {
    nodeId,
    queueId = nodeId,
    run,
    seal,
    clock,
    maxMessages,
    maxBytes,
    emit,
    onChanged,
    onDropped,
    onError,
  } = options
  const { endedReason, correct = (message, payload) => ({ ...message, payload }) } = options
  const store = keeping(() => openHeldStore(options.where, run))
  const { condemned: unheld, suspects: unsent } = keeping(() => store.marks.recover())
  /** Messages that may have ended a process are not sent with the others. */
  const excepted = new Set([...unheld, ...unsent.map(({ id }) => id)])
  let hasResumed = false
  const placeOf = (digest: string, part: keyof Sealed) => `held/${nodeId}/${digest}/${part}`

  function messageOf({ id, digest }: HeldEntry): Message {
    const stored = keeping(() => store.read(id))
    const bytes = opening(() => seal.openBytes(stored, placeOf(digest, 'message')))
    giveBack(stored)
    return opening(() => unpack(bytes))
  }

  /** Packs and seals a message, and lets the caller do other work in between. */
  function* sealing(held: Message, digest: string): Generator<void, Sealed> {
    const all = { maxBytes: Number.POSITIVE_INFINITY }
    const { bytes, dropped } = pack(held, all)
    const summary = pack({ ...summaryOf(held) }, all)
    onDropped(dropped)
    yield
    const message = keeping(() => seal.sealBytes(bytes, placeOf(digest, 'message')))
    giveBack(bytes)
    return { message, summary: seal.seal(summary.bytes, placeOf(digest, 'summary')) }
  }

  function sealed(held: Message, digest: string): Sealed {
    const steps = sealing(held, digest)
    for (;;) {
      const { done, value } = steps.next()
      if (done) return value
    }
  }

  function change(work: () => void): void {
    keeping(work)
    onChanged()
  }

  /** Holds a message, in steps of which each takes up to 0.1 s for one of 32 MB. */
  function* holding(message: Message): Generator<void, void> {
    const before = originOf(message)
    if (before?.resentAt === null) return
    const digest = before?.digest ?? digestOf(message)
    if (!before && keeping(() => store.has(digest))) return
    yield
    const contents = yield* sealing(message, digest)
    yield
    const origin = originOf(message)
    if (!origin) add(digest, contents)
    // A correction made after this was sent is newer, and is kept.
    else if (origin.resentAt !== null) {
      if (keeping(() => store.holdAgain(origin.id, clock.now(), contents))) onChanged()
      ended(origin.id)
    }
    giveBack(contents.message)
  }

  function add(digest: string, contents: Sealed): void {
    if (keeping(() => store.has(digest))) return
    const { count, size } = keeping(store.used)
    if (count >= maxMessages || size + contents.message.length > maxBytes) throw full()
    change(() => store.add(digest, clock.now(), contents))
  }

  function find(heldId: number): HeldEntry {
    const entry = keeping(() => store.find(heldId))
    if (entry) return entry
    throw notHeld(heldId)
  }

  /** The entry from which the message was resent; undefined when it came from elsewhere, or the entry is gone. */
  function originOf(message: Message): HeldEntry | undefined {
    const accepted = acceptedBy(message)
    return accepted?.nodeId === queueId ? keeping(() => store.find(accepted.entry)) : undefined
  }

  /** Functions that clear the marks of messages under way, once the process has survived them. */
  const marked = new Map<number, () => void>()
  let suspects: OneAtATime<number> | undefined

  function ended(id: number): void {
    marked.get(id)?.()
    marked.delete(id)
    leave(id)
    suspects?.done(id)
  }

  function send(entry: HeldEntry, isAlone = false): void {
    const { id } = entry
    const { held: _reasons, ...message } = messageOf(entry)
    const isOurs = keeping(() => store.resend(entry, clock.now(), isAlone))
    onChanged()
    if (!isOurs) throw notHeld(id)
    marked.get(id)?.()
    const survived = () => {
      orTell(() => keeping(() => store.marks.end([id])))
      leave(id)
    }
    marked.set(id, afterTurning(clock, SURVIVED_MS, survived))
    emit({ ...message, intake: intakeId(queueId, id) })
  }

  function holdAgain(entry: HeldEntry): void {
    const message = messageOf(entry)
    const reasons = Array.isArray(message.held) ? message.held.filter((reason) => reason !== endedReason) : []
    const contents = sealed({ ...message, held: [...reasons, endedReason] }, entry.digest)
    change(() => store.replace(entry.id, entry.at, contents))
  }

  function orTell<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (failure) {
      onError(failure)
      return undefined
    }
  }

  function sendAlone(id: number): boolean {
    const sent = orTell(() => {
      const entry = keeping(() => store.find(id))
      if (!entry?.isLeftOver) return false
      send(entry, true)
      return true
    })
    return sent ?? false
  }

  /** Messages that an earlier process has resent and that were sent again: the size of each, until it is done or was survived. */
  const underWay = new Map<number, number>()
  let lastLeftOver = 0
  let turn: NodeJS.Immediate | undefined

  /** Sends as much as there is room for under way, and the rest as that makes room. */
  function sendLeftOver(): void {
    for (;;) {
      const size = [...underWay.values()].reduce((sum, one) => sum + one, 0)
      const [entry] = keeping(() => store.leftOver(lastLeftOver, 1))
      if (!entry || underWay.size >= PER_PAGE || size >= BYTES_UNDER_WAY) return
      lastLeftOver = entry.id
      if (excepted.has(entry.id)) continue
      try {
        underWay.set(entry.id, entry.size)
        send(entry)
      } catch (failure) {
        underWay.delete(entry.id)
        if (isOfFile(failure)) throw failure
        onError(failure)
      }
    }
  }

  /** A message is done, or has been survived. */
  function leave(id: number): void {
    if (underWay.delete(id))
      turn ??= setImmediate(() => {
        turn = undefined
        orTell(sendLeftOver)
      })
  }

  /** Yields each entry. One that comes while it is under way may be among them. */
  function* entries(): Generator<HeldEntry, void> {
    for (let page = keeping(() => store.after(0, PER_PAGE)); page.length > 0; ) {
      yield* page
      const last = page.at(-1)!.id
      page = keeping(() => store.after(last, PER_PAGE))
    }
  }

  function rowOf(entry: HeldEntry): HeldRow {
    const { id, at, resentAt } = entry
    const times = { at: inUtc(at), resentAt: resentAt === null ? null : inUtc(resentAt) }
    try {
      const summary = unpack(seal.open(entry.summary, placeOf(entry.digest, 'summary'))) as unknown as Summary
      return { heldId: id, canBeOpened: true, ...times, ...summary }
    } catch {
      return { heldId: id, canBeOpened: false, ...times, ...summaryOf({}) }
    }
  }

  return {
    hold(message) {
      Array.from(holding(message))
    },
    async holdInTurns(message) {
      for (const _ of holding(message)) await nextTurn()
    },
    list: () =>
      keeping(() => store.newest(MOST_LISTED))
        .map(rowOf)
        .toReversed(),
    *ids() {
      for (const { id } of entries()) yield id
    },
    payload: (heldId) => messageOf(find(heldId)).payload,
    message: (heldId) => messageOf(find(heldId)),
    edit(heldId, payload) {
      const entry = find(heldId)
      const contents = sealed(correct(messageOf(entry), payload), entry.digest)
      change(() => store.replace(heldId, entry.at, contents))
      ended(heldId)
    },
    resend: (heldId) => send(find(heldId)),
    discard(heldId) {
      const { id } = find(heldId)
      change(() => store.remove(id))
      ended(id)
    },
    resendLeftOver() {
      if (hasResumed && typeof options.where !== 'string') {
        const recovered = keeping(() => store.marks.recover())
        unheld.push(...recovered.condemned)
        unsent.push(...recovered.suspects)
        for (const id of [...unheld, ...unsent.map((suspect) => suspect.id)]) excepted.add(id)
      }
      hasResumed = true
      for (; unheld[0] !== undefined; unheld.shift()) {
        const entry = keeping(() => store.find(unheld[0]!))
        if (entry) orTell(() => holdAgain(entry))
      }
      lastLeftOver = 0
      if (suspects?.isOver === false) return suspects.add(unsent.splice(0))
      if (unsent.length === 0) return sendLeftOver()
      suspects = oneAtATime({
        clock,
        suspects: unsent.splice(0),
        send: sendAlone,
        onTurnOver: () => orTell(() => keeping(store.marks.endTurn)),
        onOver: () => orTell(sendLeftOver),
      })
      suspects.start()
    },
    taken(heldId) {
      try {
        if (keeping(() => store.taken(heldId))) onChanged()
        ended(heldId)
      } catch (failure) {
        onError(failure)
      }
    },
    get count() {
      return keeping(store.used).count
    },
    get size() {
      return keeping(store.used).size
    },
    heldFor: (ms) => keeping(() => store.heldBefore(clock.now() - ms)),
    close(isDeleted) {
      clearImmediate(turn)
      suspects?.stop()
      for (const cancel of marked.values()) cancel()
      try {
        store.marks.stop()
      } finally {
        // Entries that wait for a person to adopt or discard them are kept.
        store.close(isDeleted && store.used().count === 0)
      }
    },
  }
}

const notHeld = (heldId: number) =>
  new NodeError('NOT_HELD', `Message ${heldId} is not held, or no longer. Open the list again.`)
const isOfFile = (failure: unknown) => (failure as { code?: string }).code === 'CANNOT_KEEP'
/** A time that is none, in a database that was changed, is shown as that of 1970. */
const inUtc = (at: number): string => new Date(Math.abs(at) <= MOST_MS ? at : 0).toISOString()
/** The most that a date can hold. */
const MOST_MS = 8.64e15

/** A message that comes again after a crash, because its sender did not learn that it is held, is held once. */
function digestOf(message: Message): string {
  if (!acceptedBy(message)) return randomUUID()
  // A document is not copied for it.
  const payload = Buffer.isBuffer(message.payload) ? message.payload : serialize(message.payload)
  return createHash('sha256').update(`${message.intake}\n`).update(payload).digest('hex')
}

const full = () =>
  new NodeError(
    'HELD_FULL',
    'As many messages are held as the form allows. Resend or discard some, or allow more; then send the message again.',
  )
