/**
 * The messages that someone has to look at before a flow can continue with them: sealed on the disk until they are resent and another
 * node has taken them over, or until someone discards them. What was resent before a crash is sent again after it, unless it has ended the process twice.
 */
import { createHash, randomUUID } from 'node:crypto'
import { serialize } from 'node:v8'
import pLimit from 'p-limit'
import type { Clock } from '../../../lib/clock.ts'
import { giveBack } from '../../../lib/memory.ts'
import type { Seal } from '../carry/seal.ts'
import type { Where } from '../database/where.ts'
import { afterTurning, type OneAtATime, oneAtATime, SURVIVED_MS } from '../handling/one-at-a-time.ts'
import { keeping } from '../intake/keeping.ts'
import { acceptedBy, intakeId } from '../intake/taken.ts'
import { NodeError } from '../runtime/failures.ts'
import type { Message } from '../runtime/node-red.ts'
import { createContents } from './contents.ts'
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

/**
 * Every method throws, or rejects with, the NodeError CANNOT_KEEP when the file cannot be read or written. Those that return promises
 * let the event loop turn between their steps when a message is large, do one message after the other in the order of the calls, and
 * reject with the NodeError STOPPED when the queue is closed in between.
 */
export interface HeldQueue {
  /** Keeps a message, which is on the disk when it resolves. Rejects with the NodeError HELD_FULL when there is no room. */
  hold(message: Message): Promise<void>
  /** Returns the newest of them, at most `MOST_LISTED`, in the order of their arrival. `count` says how many there are. */
  list(): HeldRow[]
  /** Yields the id of each, in the order of their arrival, and reads a few at one go. */
  ids(): Iterable<number>
  /** Returns the payload of a held message. Rejects with the NodeError NOT_HELD or CANNOT_OPEN, as do those that follow. */
  payload(heldId: number): Promise<unknown>
  /** Puts another payload in the place of the one that is held. */
  edit(heldId: number, payload: unknown): Promise<void>
  /** Sends the message into the flow; it stays until a node has taken it over. */
  resend(heldId: number): Promise<void>
  /** Throws the NodeError NOT_HELD. */
  discard(heldId: number): void
  /**
   * Sends again what an earlier process has resent and no node has taken over: what may have ended that process one at a time, the
   * rest afterwards. What has ended it twice is held again.
   */
  resendLeftOver(): Promise<void>
  /** Another node has taken over what was resent. Never throws. */
  taken(heldId: number): void
  readonly count: number
  /** The characters of all messages, as they are sealed. */
  readonly size: number
  /** How many messages have been held for longer than this. */
  heldFor(ms: number): number
  /** Returns a held message as it was held. */
  message(heldId: number): Promise<Message>
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
  let isClosed = false
  const contents = createContents({ nodeId, seal, store, isClosed: () => isClosed, onDropped })
  const { turn, turnAfter } = contents
  /** Each may be large, and the last of several corrections is the one that counts. */
  const inOrder = pLimit(1)

  function change(work: () => void): void {
    keeping(work)
    onChanged()
  }

  async function holdOne(message: Message): Promise<void> {
    const before = originOf(message)
    if (before?.resentAt === null) return
    const digest = before?.digest ?? digestOf(message)
    if (!before && keeping(() => store.has(digest))) return
    await turn()
    const sealed = await contents.seal(message, digest)
    const origin = originOf(message)
    if (!origin) add(digest, sealed)
    // A correction made after this was sent is newer, and is kept.
    else if (origin.resentAt !== null) {
      if (keeping(() => store.holdAgain(origin.id, clock.now(), sealed))) onChanged()
      ended(origin.id)
    }
    giveBack(sealed.message)
  }

  /** Puts other contents in the place of those of an entry. Throws when it was discarded since it was found. */
  function replace({ id, at }: HeldEntry, sealed: Sealed): void {
    find(id)
    change(() => store.replace(id, at, sealed))
    giveBack(sealed.message)
  }

  async function editOne(heldId: number, payload: unknown): Promise<void> {
    const entry = find(heldId)
    const corrected = correct(await contents.open(entry), payload)
    await turnAfter(entry.size)
    replace(entry, await contents.seal(corrected, entry.digest))
    ended(heldId)
  }

  function add(digest: string, sealed: Sealed): void {
    if (keeping(() => store.has(digest))) return
    const { count, size } = keeping(store.used)
    if (count >= maxMessages || size + sealed.message.length > maxBytes) throw full()
    change(() => store.add(digest, clock.now(), sealed))
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

  async function send(entry: HeldEntry, isAlone = false): Promise<void> {
    const { id } = entry
    const { held: _reasons, ...message } = await contents.open(entry)
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

  async function holdAgain(entry: HeldEntry): Promise<void> {
    const message = await contents.open(entry)
    const reasons = Array.isArray(message.held) ? message.held.filter((reason) => reason !== endedReason) : []
    replace(entry, await contents.seal({ ...message, held: [...reasons, endedReason] }, entry.digest))
  }

  /** Passes over errors of a file that was closed. */
  const tell = (failure: unknown) => {
    if (!isClosed) onError(failure)
  }

  function orTell<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (failure) {
      tell(failure)
      return undefined
    }
  }

  function sendAlone(id: number): boolean {
    const leftOver = () => {
      const entry = keeping(() => store.find(id))
      return entry?.isLeftOver ? entry : undefined
    }
    if (!orTell(leftOver)) return false
    const sending = inOrder(async () => {
      const entry = leftOver()
      if (entry) await send(entry, true)
      else suspects?.done(id)
    })
    sending.catch((failure) => {
      tell(failure)
      suspects?.done(id)
    })
    return true
  }

  /** Messages that an earlier process has resent and that were sent again: the size of each, until it is done or was survived. */
  const underWay = new Map<number, number>()
  let lastLeftOver = 0
  let soon: NodeJS.Immediate | undefined

  /** Sends as much as there is room for under way, and the rest as that makes room. */
  async function sendLeftOver(): Promise<void> {
    for (;;) {
      const size = [...underWay.values()].reduce((sum, one) => sum + one, 0)
      const [entry] = keeping(() => store.leftOver(lastLeftOver, 1))
      if (!entry || underWay.size >= PER_PAGE || size >= BYTES_UNDER_WAY) return
      lastLeftOver = entry.id
      if (excepted.has(entry.id)) continue
      try {
        underWay.set(entry.id, entry.size)
        await send(entry)
      } catch (failure) {
        underWay.delete(entry.id)
        if (isClosed || isOfFile(failure)) throw failure
        onError(failure)
      }
    }
  }

  const sendMore = () => void inOrder(sendLeftOver).catch(tell)

  /** A message is done, or has been survived. */
  function leave(id: number): void {
    if (underWay.delete(id))
      soon ??= setImmediate(() => {
        soon = undefined
        sendMore()
      })
  }

  async function resendAll(): Promise<void> {
    if (hasResumed && typeof options.where !== 'string') {
      const recovered = keeping(() => store.marks.recover())
      unheld.push(...recovered.condemned)
      unsent.push(...recovered.suspects)
      for (const id of [...unheld, ...unsent.map((suspect) => suspect.id)]) excepted.add(id)
    }
    hasResumed = true
    for (; unheld[0] !== undefined; unheld.shift()) {
      const entry = keeping(() => store.find(unheld[0]!))
      if (entry) await holdAgain(entry).catch(tell)
    }
    lastLeftOver = 0
    if (suspects?.isOver === false) return suspects.add(unsent.splice(0))
    if (unsent.length === 0) return sendLeftOver()
    suspects = oneAtATime({
      clock,
      suspects: unsent.splice(0),
      send: sendAlone,
      onTurnOver: () => orTell(() => keeping(store.marks.endTurn)),
      onOver: sendMore,
    })
    suspects.start()
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
      return { heldId: id, canBeOpened: true, ...times, ...contents.summaryOf(entry) }
    } catch {
      return { heldId: id, canBeOpened: false, ...times, ...summaryOf({}) }
    }
  }

  return {
    hold: (message) => inOrder(() => holdOne(message)),
    list: () =>
      keeping(() => store.newest(MOST_LISTED))
        .map(rowOf)
        .toReversed(),
    *ids() {
      for (const { id } of entries()) yield id
    },
    payload: (heldId) => inOrder(async () => (await contents.open(find(heldId))).payload),
    message: (heldId) => inOrder(() => contents.open(find(heldId))),
    edit: (heldId, payload) => inOrder(() => editOne(heldId, payload)),
    resend: (heldId) => inOrder(() => send(find(heldId))),
    discard(heldId) {
      const { id } = find(heldId)
      change(() => store.remove(id))
      ended(id)
    },
    resendLeftOver: () => inOrder(resendAll),
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
      isClosed = true
      clearImmediate(soon)
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
