/** The messages that are to be sent: sealed on the disk, delivered one after the other in the order in which they came. */
import { randomUUID } from 'node:crypto'
import { onBeat } from '../database/where.ts'
import { openSealedQueue, type Put, type SealedQueueOptions } from '../intake/sealed-queue.ts'
import { knownFailure } from '../runtime/failures.ts'
import type { Message } from '../runtime/node-red.ts'
import { type DeliverOptions, type Delivery, deliver } from './deliver.ts'

export interface OutboxOptions
  extends SealedQueueOptions,
    Omit<DeliverOptions, 'signal' | 'countTry' | 'checkTurn' | 'onFrame'> {
  /** Sends a message, and what became of it, into the flow. It leaves the disk after that. */
  onDelivery: (message: Message, delivery: Delivery) => void
  /** Stores a message whose answer has ended the process twice. Resolves when it is on the disk. */
  setAside: (message: Message) => Promise<void>
  /** Called when the journal fails, and of a message that cannot be opened, which stays where it is. */
  onError: (failure: Error & { code: string }) => void
  onTryFailed: DeliverOptions['onTryFailed']
}

export interface Outbox {
  /** Resolves when the message, whose `payload` is its bytes, is on the disk. Rejects with the NodeError CANNOT_KEEP. */
  put(message: Message): Promise<Put>
  /** How many messages are on the disk. */
  readonly count: number
  /** Ends what is under way, which the next start does again. @param isDeleted removes the file, unless messages are in it */
  close(isDeleted: boolean): Promise<void>
}

/** Another process delivers the messages now. */
class TurnLost extends Error {}

/** A journal that fails would otherwise have the same message sent without a pause. */
const AFTER_FAILURE_MS = 10_000

/** Begins to deliver at once. Throws the NodeError CANNOT_KEEP when the file cannot be had. */
export function openOutbox(options: OutboxOptions): Outbox {
  const { clock, onDelivery, onTryFailed, setAside, onError } = options
  const queue = openSealedQueue(options)
  const closing = new AbortController()
  const { signal } = closing
  const condemned = new Set<number>()
  /** Messages that cannot be opened, which are passed over. */
  const closed = new Set<number>()
  const { file } = options
  const turns = typeof file === 'string' ? undefined : file.database.takeTurns(file.queue)
  const recover = () => {
    for (const id of queue.marks.recover().condemned) condemned.add(id)
  }
  recover()
  let last = 0
  let underWay: Promise<void> | undefined

  async function deliverAll(): Promise<void> {
    for (;;) {
      // One process at a time delivers, so that a receiver gets the messages in their order, over one connection.
      if (turns && !turns.isOurs) return
      const entry = queue.next(last)
      if (entry === undefined || signal.aborted) return
      const message = closed.has(entry.id) ? undefined : orTold(() => queue.open(entry))
      if (!message) closed.add(entry.id)
      if (message && condemned.has(entry.id)) {
        await setAside(message)
        await queue.take(entry.id)
      } else if (message) {
        const delivery = await deliver(message.payload as Uint8Array, {
          ...options,
          countTry: () => queue.countTry(entry.id),
          checkTurn() {
            if (turns && !turns.isOurs) throw new TurnLost()
          },
          onFrame: () => queue.marks.beginAlone(entry.id),
          onTryFailed: (failure) => {
            queue.marks.rest(entry.id)
            onTryFailed(failure)
          },
          signal,
        })
        // After a stall, another process may have delivered it.
        if (turns && !turns.isOurs && !queue.find(entry.id)) return
        onDelivery(message, delivery)
        await queue.take(entry.id)
      }
      last = entry.id
    }
  }

  function orTold<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (failure) {
      onError(knownFailure(failure))
      return undefined
    }
  }

  const start = () => {
    if (signal.aborted) return
    let pauseMs = 0
    underWay ??= deliverAll()
      .catch((failure) => {
        if (signal.aborted || failure instanceof TurnLost) return
        onError(knownFailure(failure))
        pauseMs = AFTER_FAILURE_MS
      })
      .finally(() => {
        underWay = undefined
        // One may have come after the last look.
        if (signal.aborted || (turns && !turns.isOurs)) return
        if (orTold(() => queue.next(last)) !== undefined) clock.after(pauseMs, start)
      })
  }
  start()
  const stopTakingOver = onBeat(file, () =>
    orTold(() => {
      recover()
      // Another process may have written messages with smaller numbers later.
      last = underWay ? last : 0
      start()
    }),
  )
  const stopNews =
    typeof file === 'string'
      ? () => {}
      : file.database.onNews((news) => {
          if (news.part === file.queue) start()
        })

  return {
    async put(message) {
      // Nothing of a message is known before it was delivered: one that comes again is sent again.
      const put = await queue.put(message, randomUUID(), false)
      start()
      if (typeof file !== 'string') file.database.tell({ part: file.queue })
      return put
    },
    get count() {
      return queue.count
    },
    async close(isDeleted) {
      closing.abort()
      stopTakingOver()
      stopNews()
      await underWay
      turns?.leave()
      queue.close(isDeleted)
    },
  }
}
