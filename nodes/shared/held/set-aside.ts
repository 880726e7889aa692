/**
 * The messages that a node has set aside, because Node-RED ended while they were handled or because no flow can use them: held on the
 * disk, and offered to the sidebar, until a person resends, corrects or discards them.
 */
import { existsSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemClock } from '../../../lib/clock.ts'
import { sealOf } from '../carry/seal-of.ts'
import { queueOf } from '../database/journal-choice.ts'
import { onBeat } from '../database/where.ts'
import { listenForTaken, taken } from '../intake/taken.ts'
import { FlowError, knownFailure, stopped } from '../runtime/failures.ts'
import type { Message, Runtime, RuntimeNode } from '../runtime/node-red.ts'
import { RUN } from '../runtime/run.ts'
import { sharedText } from '../runtime/status.ts'
import { desks } from './desks.ts'
import { type HeldQueue, type HeldQueueOptions, openHeldQueue } from './held-queue.ts'

export interface SetAsideOptions extends Pick<HeldQueueOptions, 'emit' | 'correct'> {
  runtime: Runtime
  node: RuntimeNode
  /** Called with the number of messages after each change, and at the start when there are any. */
  onCount: (count: number) => void
}

export interface SetAside {
  /**
   * Takes over a message that has ended Node-RED, in several turns of the event loop. Resolves when it is on the disk; the queue that it
   * came from keeps it until then. Rejects with the NodeError CANNOT_KEEP, and when the node closes before.
   */
  hold(message: Message): Promise<void>
  /**
   * Does the same for other reasons, as sentences. What fails is reported, and the message comes again.
   */
  holdFor(message: Message, reasons: readonly string[]): void
  /** Whether it holds fewer messages, and of fewer bytes, than this. Throws the NodeError CANNOT_KEEP. */
  hasRoom(limits: { messages: number; bytes: number }): boolean
  /** Handles again what was resent before a crash. Called once the flows run. Rejects with the NodeError CANNOT_KEEP. */
  resume(): Promise<void>
  /** @param isDeleted removes all messages */
  close(isDeleted: boolean): void
}

/** Throws the NodeError CANNOT_KEEP when there are messages and their file cannot be had. */
export function createSetAside({ runtime, node, emit, correct, onCount }: SetAsideOptions): SetAside {
  const whereNow = () => queueOf(runtime, 'held', node.id)
  /** Whether there may be messages: a shared queue knows by its rows. */
  const mayHold = () => {
    const where = whereNow()
    return typeof where !== 'string' || existsSync(where)
  }
  /** A resent message is taken over under a name of its own: its number is not one of the node's queue. */
  const queueId = `${node.id}:aside`
  const endedReason = sharedText(runtime, 'held.endedNodeRed')
  const onError = (failure: unknown) => node.error(new FlowError(knownFailure(failure)))
  let opened: { queue: HeldQueue; leave: () => void } | undefined
  let stopTakingOver = () => {}
  let isClosed = false

  function open(): HeldQueue {
    if (opened) return opened.queue
    const where = whereNow()
    const queue = openHeldQueue({
      where,
      nodeId: node.id,
      queueId,
      run: RUN,
      seal: sealOf(runtime)(),
      clock: systemClock,
      // They come from a queue that has a limit.
      maxMessages: Number.POSITIVE_INFINITY,
      maxBytes: Number.POSITIVE_INFINITY,
      endedReason,
      emit,
      ...(correct && { correct }),
      onChanged: () => onCount(queue.count),
      onDropped: () => {},
      onError,
    })
    const stopListening = listenForTaken(queueId, queue.taken)
    const leaveDesks = desks.add({ nodeId: node.id, name: node.name || node.id, queue })
    const leave = () => {
      stopListening()
      leaveDesks()
    }
    opened = { queue, leave }
    return queue
  }

  async function takeOver(message: Message, reasons: readonly string[]): Promise<void> {
    // The caller has opened the message in this turn, which takes its time for a large one.
    await nextTurn()
    if (isClosed) throw stopped()
    await open().hold({ ...message, held: [...reasons] })
    taken(message)
  }

  return {
    async hold(message) {
      await takeOver(message, [endedReason])
      node.error(endedReason)
    },
    holdFor(message, reasons) {
      // The queue of a node that was closed in between has kept the message.
      takeOver(message, reasons).catch((failure: unknown) => isClosed || onError(failure))
    },
    hasRoom({ messages, bytes }) {
      if (!opened && !mayHold()) return true
      const { count, size } = open()
      // Four characters are three bytes.
      return count < messages && size < (bytes / 3) * 4
    },
    async resume() {
      if (isClosed || !mayHold()) return
      const queue = open()
      await queue.resendLeftOver()
      if (isClosed) return
      onCount(queue.count)
      stopTakingOver()
      stopTakingOver = onBeat(whereNow(), () => {
        queue.resendLeftOver().catch((failure: unknown) => isClosed || onError(failure))
      })
    },
    close(isDeleted) {
      isClosed = true
      stopTakingOver()
      if (isDeleted && mayHold()) open()
      opened?.leave()
      opened?.queue.close(isDeleted)
      opened = undefined
    },
  }
}
