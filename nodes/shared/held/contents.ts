/** Packs and encrypts held messages, and opens them. A step of work on a message of 32 MB takes up to 0.1 s: others have their turn after each. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { giveBack } from '../../../lib/memory.ts'
import { pack, unpack } from '../carry/pack.ts'
import type { Seal } from '../carry/seal.ts'
import { keeping, opening } from '../intake/keeping.ts'
import { LARGE } from '../intake/queue-file.ts'
import { stopped } from '../runtime/failures.ts'
import type { Message } from '../runtime/node-red.ts'
import type { HeldEntry, HeldStore, Sealed } from './held-store.ts'
import { type Summary, summaryOf } from './summary.ts'

export interface ContentsOptions {
  nodeId: string
  seal: Seal
  store: Pick<HeldStore, 'read'>
  isClosed: () => boolean
  /** Called with the names of properties that cannot be stored. */
  onDropped: (names: readonly string[]) => void
}

/** The promises reject with the NodeError STOPPED when the queue is closed in between. */
export interface Contents {
  /** Rejects with the NodeError CANNOT_OPEN or CANNOT_KEEP. */
  open(entry: HeldEntry): Promise<Message>
  /** Throws for an entry that cannot be opened. */
  summaryOf(entry: HeldEntry): Summary
  seal(message: Message, digest: string): Promise<Sealed>
  /** Lets others have their turn. */
  turn(): Promise<void>
  /** Does the same after a step of work on so many bytes, when these are many. */
  turnAfter(bytes: number): Promise<void>
}

export function createContents({ nodeId, seal, store, isClosed, onDropped }: ContentsOptions): Contents {
  const placeOf = (digest: string, part: keyof Sealed) => `held/${nodeId}/${digest}/${part}`
  const turn = async () => {
    await nextTurn()
    if (isClosed()) throw stopped()
  }
  const turnAfter = async (bytes: number) => {
    if (bytes >= LARGE) await turn()
  }

  return {
    async open({ id, digest, size }) {
      const stored = keeping(() => store.read(id))
      await turnAfter(size)
      const bytes = opening(() => seal.openBytes(stored, placeOf(digest, 'message')))
      giveBack(stored)
      await turnAfter(size)
      const message = opening(() => unpack(bytes))
      await turnAfter(size)
      return message
    },
    summaryOf: ({ summary, digest }) => unpack(seal.open(summary, placeOf(digest, 'summary'))) as unknown as Summary,
    async seal(held, digest) {
      const all = { maxBytes: Number.POSITIVE_INFINITY }
      const { bytes, dropped } = pack(held, all)
      const summary = pack({ ...summaryOf(held) }, all)
      onDropped(dropped)
      await turnAfter(bytes.length)
      const message = keeping(() => seal.sealBytes(bytes, placeOf(digest, 'message')))
      giveBack(bytes)
      await turnAfter(message.length)
      return { message, summary: seal.seal(summary.bytes, placeOf(digest, 'summary')) }
    },
    turn,
    turnAfter,
  }
}
