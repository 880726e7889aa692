/** Messages on the disk, sealed, within a limit, in their order, until each is taken out. Knows what none of them is for. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Clock } from '../../../lib/clock.ts'
import { inGroups } from '../../../lib/in-groups.ts'
import { giveBack } from '../../../lib/memory.ts'
import { pack, unpack } from '../carry/pack.ts'
import { SEALED_EXTRA, type Seal } from '../carry/seal.ts'
import type { Where } from '../database/where.ts'
import type { Marks } from '../handling/marks.ts'
import type { Message } from '../runtime/node-red.ts'
import { type Entry, type NewMessage, openIntakeStore } from './intake-store.ts'
import { keeping, keepingAll, opening } from './keeping.ts'
import { LARGE } from './queue-file.ts'

export interface SealedQueueOptions {
  /** The path of the file that holds them, or the queue in a shared database. */
  file: Where
  nodeId: string
  seal: Seal
  clock: Clock
  /** The most bytes of messages. */
  maxBytes: number
  /** Called with the names of properties that cannot be stored. */
  onDropped: (names: readonly string[]) => void
}

/** `known`: a message with this digest was put there before, and is not put there again. `full`: nothing was written. */
export type Put = 'new' | 'known' | 'full'

/** Rejects, or throws, with the NodeError CANNOT_KEEP when the file cannot be read or written. */
export interface SealedQueue {
  /**
   * Resolves when the message is on the disk. The message is packed before the call returns, so its bytes may be given back then; a large
   * one is encrypted and written in later turns of the event loop, in the order of the calls.
   * @param digest tells it apart from other messages, in hexadecimal digits
   * @param isUnderWay whether it goes into the flow at once; its mark is then written with it
   */
  put(message: Message, digest: string, isUnderWay: boolean): Promise<Put>
  /** The first entry after an id. */
  next(afterId: number): Entry | undefined
  /** An entry that was not taken out; undefined for any other. */
  find(id: number): Entry | undefined
  /** Throws the NodeError CANNOT_OPEN when the entry was sealed with another secret. */
  open(entry: Entry): Message
  /** Does the same, and lets the event loop turn between the steps of opening a large one. */
  openInTurns(entry: Entry): Promise<Message>
  /** Counts a try with a message, and returns how many there were, those before a restart included. */
  countTry(id: number): number
  /** Takes a message out. Its digest stays known for a week after it came. */
  take(id: number): Promise<void>
  /** How many messages are on the disk. */
  readonly count: number
  /** Which messages may have ended the process. `recover` also takes over the messages of processes that have ended. */
  readonly marks: Marks<number>
  /** Ends all marks. It cannot be used after that. @param isDeleted removes the file as well, unless messages are in it */
  close(isDeleted: boolean): void
}

/** The latest entries are kept in memory, up to this many bytes, because most are sent on at once. */
const FRESH_BYTES = 32 * 1024 * 1024
/** How long a message that was taken is known when it comes again: engines repeat within hours, people within days. */
const KNOWN_MS = 7 * 86_400_000
const MOST_MESSAGES = 100_000
/** New messages between two looks for digests that are too old. */
const PER_SWEEP = 1000

export function openSealedQueue(options: SealedQueueOptions): SealedQueue {
  const { file, nodeId, seal, clock, maxBytes, onDropped } = options
  const store = keeping(() => openIntakeStore(file, clock.now()))
  /** Includes entries about to be written. */
  const used = keeping(() => store.waiting())
  let { count: stored, size: storedSize } = used
  const fresh = createFresh()
  let sinceSweep = 0
  const placeOf = (digest: string) => `intake/${nodeId}/${digest}`

  const writeTogether = inGroups((messages: NewMessage[]) =>
    keeping(() => {
      const isNew = store.write(messages, clock.now())
      for (const { sealed } of messages.filter((_, index) => isNew[index])) {
        stored += 1
        storedSize += sealed.length
      }
      sinceSweep += messages.length
      if (sinceSweep >= PER_SWEEP) store.sweep(clock.now() - KNOWN_MS)
      sinceSweep %= PER_SWEEP
      return isNew
    }),
  )
  const take = inGroups((ids: number[]) =>
    keeping(() => {
      const gone = store.take(ids)
      stored -= gone.count
      storedSize -= gone.size
      used.count -= gone.count
      used.size -= gone.size
      return ids
    }),
  )

  const inOrder = pLimit(1)
  const turnAfter = async (size: number) => {
    if (size >= LARGE) await nextTurn()
  }

  /** Encrypts one message after the other, and has those written together that are encrypted in the same turn. */
  async function write(bytes: Buffer, digest: string, isUnderWay: boolean): Promise<boolean> {
    const { sealed, writing } = await inOrder(async () => {
      await turnAfter(bytes.length)
      const sealed = keeping(() => seal.sealBytes(bytes, placeOf(digest)))
      return { sealed, writing: writeTogether({ digest, sealed, isUnderWay }) }
    })
    const isNew = await writing
    giveBack(sealed)
    return isNew
  }

  async function writeWithin(bytes: Buffer, digest: string, isUnderWay: boolean): Promise<boolean> {
    const size = bytes.length + SEALED_EXTRA
    used.count += 1
    used.size += size
    let isNew = false
    try {
      isNew = await write(bytes, digest, isUnderWay)
      return isNew
    } finally {
      if (!isNew) {
        used.count -= 1
        used.size -= size
      }
    }
  }

  return {
    async put(message, digest, isUnderWay) {
      const { bytes, dropped } = pack(message, { maxBytes: Number.POSITIVE_INFINITY })
      if (used.count >= MOST_MESSAGES || used.size + bytes.length + SEALED_EXTRA > maxBytes) return 'full'
      onDropped(dropped)
      if (!(await writeWithin(bytes, digest, isUnderWay))) return 'known'
      fresh.keep(digest, bytes)
      return 'new'
    },
    next: (afterId) => keeping(() => store.next(afterId)),
    find: (id) => keeping(() => store.find(id)),
    open({ id, digest }) {
      const bytes = fresh.take(digest)
      if (bytes) return unpack(bytes)
      const sealed = keeping(() => store.read(id))
      const opened = opening(() => seal.openBytes(sealed, placeOf(digest)))
      giveBack(sealed)
      return opening(() => unpack(opened))
    },
    async openInTurns({ id, digest, size }) {
      const sealed = keeping(() => store.read(id))
      await turnAfter(size)
      const opened = opening(() => seal.openBytes(sealed, placeOf(digest)))
      giveBack(sealed)
      await turnAfter(size)
      return opening(() => unpack(opened))
    },
    countTry: (id) => keeping(() => store.countTry(id)),
    take: async (id) => void (await take(id)),
    get count() {
      return stored
    },
    marks: keepingAll({
      ...store.marks,
      recover() {
        const recovered = store.marks.recover()
        // Other processes write and take, too.
        const waiting = store.waiting()
        used.count += waiting.count - stored
        used.size += waiting.size - storedSize
        stored = waiting.count
        storedSize = waiting.size
        return recovered
      },
    }),
    close(isDeleted) {
      // A disk that is full keeps marks of messages that have ended nothing: each of them is then handled alone once.
      try {
        store.marks.stop()
      } finally {
        // Entries that wait for a person to adopt or discard them are kept.
        store.close(isDeleted && stored === 0)
      }
    },
  }
}

function createFresh() {
  const kept = new Map<string, Buffer>()
  let size = 0
  return {
    keep(digest: string, bytes: Buffer) {
      if (size + bytes.length > FRESH_BYTES) return
      size += bytes.length
      kept.set(digest, bytes)
    },
    take(digest: string): Buffer | undefined {
      const bytes = kept.get(digest)
      size -= bytes?.length ?? 0
      kept.delete(digest)
      return bytes
    },
  }
}
