/**
 * The messages that a node has accepted from a sender who does not send them again: sealed on the disk until another node takes each
 * over (`taken`), and sent into the flow in the order of their arrival. What a crash, a deploy or a failure has left is sent again;
 * what has ended the process twice is set aside instead.
 */
import { createHash } from 'node:crypto'
import { onBeat } from '../database/where.ts'
import { knownFailure, type NodeError } from '../runtime/failures.ts'
import type { Message } from '../runtime/node-red.ts'
import type { Entry } from './intake-store.ts'
import { createOutflow } from './outflow.ts'
import { openSealedQueue, type Put, type SealedQueueOptions } from './sealed-queue.ts'
import { intakeId, listenForTaken } from './taken.ts'

export interface IntakeOptions extends SealedQueueOptions {
  /** After how many ms a message that no one has taken is sent into the flow again; 0 for not before the next start. */
  repeatMs: number
  /** Sends a message into the flow. */
  emit: (message: Message) => void
  /** Stores a message that has ended the process twice. Resolves when it is on the disk. */
  setAside: (message: Message) => Promise<void>
  /** Called when the journal fails outside of a call, and of a message that cannot be opened, which stays where it is. */
  onError: (failure: Error & Pick<NodeError, 'code'>) => void
}

export interface Intake {
  /**
   * Writes a message down. Resolves when it is on the disk; rejects with the NodeError CANNOT_KEEP when it cannot be written. One
   * that is known does not go into the flow once more.
   * @param bytes what tells it apart from other messages, as it came. They, and those of the message, are read before the call returns,
   * not only before its promise resolves.
   */
  accept(message: Message, bytes: Uint8Array): Promise<Put>
  /** How many messages no one has taken. */
  readonly waiting: number
  /** Takes over a message that a node which is gone has accepted. @param digest tells it apart, as the other node has it */
  adopt(message: Message, digest: string): Promise<Put>
  /** @param isDeleted whether the node is gone from the flows; the file is then removed, unless messages are in it */
  close(isDeleted: boolean): Promise<void>
}

/** Begins to send messages into the flow at once. Throws the NodeError CANNOT_KEEP when the file cannot be had. */
export function openIntake(options: IntakeOptions): Intake {
  const { nodeId, clock, repeatMs, emit, setAside, onError } = options
  const queue = openSealedQueue(options)
  const tell = (failure: unknown) => onError(knownFailure(failure))

  const messageOf = (entry: Entry): Message => ({ ...queue.open(entry), intake: intakeId(nodeId, entry.id) })
  const orTell = (work: () => void) => {
    try {
      work()
    } catch (failure) {
      tell(failure)
    }
  }
  const takes = new Set<Promise<void>>()
  const take = (id: number) => {
    const taking = queue
      .take(id)
      .catch(tell)
      .finally(() => takes.delete(taking))
    takes.add(taking)
  }

  const condemned = new Set<number>()
  /** Resolves when all that is condemned so far was set aside: one after the other, because each may be large. */
  let settingAside = Promise.resolve()
  async function setAsideEntry(id: number): Promise<void> {
    const entry = queue.find(id)
    if (entry) await setAside({ ...(await queue.openInTurns(entry)), intake: intakeId(nodeId, id) })
    await queue.take(id)
  }
  /** Takes over what processes that have ended have left. Returns what may have ended them and is to be handled alone. */
  function recover() {
    const recovered = queue.marks.recover()
    for (const id of recovered.condemned) condemned.add(id)
    for (const id of recovered.condemned) settingAside = settingAside.then(() => setAsideEntry(id)).catch(tell)
    return recovered
  }
  const { suspects } = recover()
  /** Passes over what could not be set aside, which the next start tries again. */
  function next(afterId: number): Entry | undefined {
    const entry = queue.next(afterId)
    return entry && condemned.has(entry.id) ? next(entry.id) : entry
  }
  const outflow = createOutflow({
    clock,
    repeatMs,
    next,
    send: (entry) => orTell(() => emit(messageOf(entry))),
    onError: tell,
    handling: { marks: queue.marks, suspects, find: queue.find },
  })
  const stopTakingOver = onBeat(options.file, () =>
    orTell(() => {
      const { suspects: more, takenOver } = recover()
      if (takenOver > 0 || more.length > 0) outflow.takeOver(more)
    }),
  )
  const stopListening = listenForTaken(nodeId, (id) => {
    outflow.taken(id)
    take(id)
  })
  outflow.flow()

  async function put(message: Message, digest: string): Promise<Put> {
    const written = await queue.put(message, digest, outflow.isWaiting)
    if (written === 'new') outflow.flow()
    return written
  }

  return {
    accept: (message, bytes) => put(message, createHash('sha256').update(bytes).digest('hex')),
    adopt: put,
    get waiting() {
      return queue.count
    },
    async close(isDeleted) {
      stopTakingOver()
      stopListening()
      outflow.stop()
      await settingAside
      await Promise.all(takes)
      queue.close(isDeleted)
    },
  }
}
