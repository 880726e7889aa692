/**
 * The orders that a create node has accepted: in the journal with their documents until the service has answered, then without
 * them until the message has been taken over. The next start continues with those that a crash or a deploy has left, but for those that
 * have ended the process twice: they are set aside.
 */
import { systemClock } from '../../../lib/clock.ts'
import { queueOf } from '../database/journal-choice.ts'
import { type OneAtATime, oneAtATime } from '../handling/one-at-a-time.ts'
import { createSetAside } from '../held/set-aside.ts'
import { taken } from '../intake/taken.ts'
import { adopters } from '../runtime/adopters.ts'
import { knownFailure, NodeError } from '../runtime/failures.ts'
import type { KeptMessages } from '../runtime/kept-messages.ts'
import type { Message } from '../runtime/node-red.ts'
import { RUN } from '../runtime/run.ts'
import type { Contents } from './accepted-entry.ts'
import { type AcceptedOptions, openAcceptedJournal } from './accepted-journal.ts'
import { openHandledOrders } from './handled-orders.ts'

export interface AcceptedOrders extends KeptMessages {
  /**
   * Writes an order down before it is sent. When there is no room for it, warns that no one continues with it after a crash.
   * Rejects with the NodeError CANNOT_KEEP when the journal does not take it.
   */
  accept(message: Message, order: Order): Promise<void>
  /** Returns the order that an earlier start accepted as this message; undefined for a new message. */
  resumed(message: Message): Resumed | undefined
  /**
   * Removes the document, and keeps what the node is about to send until another node has taken it over. A deploy does not send it
   * again; the next process does. Never rejects.
   */
  created(message: Message, taskId: number, sent: Message): Promise<void>
  /**
   * Keeps an order for a person, who sends or discards it in the sidebar.
   * @param withdrawnAt when the document was withdrawn, if that is why
   */
  park(message: Message, withdrawnAt: number | undefined): Promise<void>
  /** Whether a person has decided to send the order. */
  isDecided(message: Message): boolean
  /** Returns the time of the withdrawal that a person knew of when they decided to send the order; undefined when of none. */
  knownWithdrawal(message: Message): number | undefined
  /** Forgets an order that has failed: the flow gets its message back. Never rejects. */
  forget(message: Message): Promise<void>
}

/** An order, or the message of a task that exists, that another node or another address has left. */
export interface AdoptedOrder {
  contents: Contents
  taskId: number | undefined
  /** When the document was withdrawn, if a person sends it all the same. */
  withdrawnAt?: number | undefined
}

/** The order to send to the service. */
export type Order = NonNullable<Contents['order']>

/** With a task, the message has only to go out; there is no order any more. */
export interface Resumed extends Pick<Contents, 'order'> {
  taskId?: number
}

/** In a living process a message reaches the nodes behind this one at once, so what is not taken over by then never will be. */
const HAND_OVER_MS = 60_000

export interface AcceptedOrdersOptions extends AcceptedOptions {
  /** Called with the number of orders that are set aside. */
  onSetAside: (count: number) => void
}

export function createAcceptedOrders(options: AcceptedOrdersOptions): AcceptedOrders {
  const { runtime, node, service, onSetAside } = options
  const journal = openAcceptedJournal(options)
  const ids = new WeakMap<Message, string>()
  const left = new WeakMap<Message, Resumed>()
  /** The orders that a person has decided to send, with the withdrawals that they knew of. */
  const decided = new WeakMap<Message, number | undefined>()
  let take = (_message: Message) => {}
  const handOvers = createHandOvers((id) => remove(id).catch(warn))
  const handled = openHandledOrders(() => queueOf(runtime, 'handled', node.id), systemClock, warn)
  const aside = createSetAside({
    runtime,
    node,
    emit: (message) => void handleAgain(message).catch(warn),
    // Another payload may give another order.
    correct: ({ acceptedOrder: _, ...message }, payload) => ({ ...message, payload }),
    onCount: onSetAside,
  })
  let handle = (_message: Message) => {}
  let hasResumed = false
  /** Suspects, by the times at which they were found. */
  const suspects = new Set<OneAtATime<string>>()
  const stopTakingOver = service.onBeat(() => void takeOver().catch(warn))
  const stopListening = service.taken.listen(({ taskId }) => handOvers.end(taskId))

  function warn(failure: unknown): void {
    node.warn(knownFailure(failure).message)
  }

  function resume(id: string, contents: Contents, taskId: number | undefined): Message {
    const { message, order } = contents
    left.set(message, { ...(order && { order }), ...(taskId !== undefined && { taskId }) })
    ids.set(message, id)
    return message
  }

  const leave = adopters.add({
    kind: 'order',
    nodeId: node.id,
    type: node.type,
    name: node.name || node.id,
    serviceId: service.id,
    count: () => journal.count,
    async adopt(given) {
      const { contents, taskId, withdrawnAt } = given as AdoptedOrder
      const id = runtime.util.generateId()
      if (!(await write(id, contents, taskId)))
        throw new NodeError('NO_ROOM', 'The node’s queue limit leaves no room for it. Raise the limit, then try again.')
      const message = resume(id, contents, taskId)
      decided.set(message, withdrawnAt)
      take(message)
    },
  })

  async function remove(id: string): Promise<void> {
    await journal.remove(id)
    handled.end(id)
    for (const turns of suspects) turns.done(id)
  }

  /** Marks an order as under way before it is in the journal, so that none is there without a mark. */
  async function write(id: string, contents: Contents, taskId?: number): Promise<boolean> {
    handled.begin([id])
    const isWritten = await journal.write(id, contents, taskId)
    if (!isWritten) handled.end(id)
    return isWritten
  }

  async function setAside(id: string, { message, order }: Contents, taskId: number | undefined): Promise<void> {
    await aside.hold({ ...message, acceptedOrder: { order, taskId } })
    await remove(id)
  }

  /** A resent message is sent as it was accepted, unless a person has corrected it. */
  async function handleAgain(message: Message): Promise<void> {
    const { acceptedOrder, intake: _, ...accepted } = message
    const { order, taskId } = (acceptedOrder ?? {}) as Resumed
    const id = runtime.util.generateId()
    const isWritten =
      acceptedOrder !== undefined && (await write(id, { message: accepted, ...(order && { order }) }, taskId))
    if (!isWritten) return handle(message)
    taken(message)
    handle(resume(id, { message: accepted, ...(order && { order }) }, taskId))
  }

  function resumeAlone(id: string, messages: Map<string, Message>): boolean {
    const message = messages.get(id)
    if (!message) return false
    messages.delete(id)
    try {
      handled.beginAlone(id)
    } catch (failure) {
      warn(failure)
      return false
    }
    handle(message)
    return true
  }

  /** Handles what earlier starts have left, or other processes that have ended since. */
  async function handleLeft(): Promise<void> {
    const recovered = handled.takeOver()
    const messages = new Map<string, Message>()
    let sealed = 0
    for (const { id, entry, contents } of await journal.read()) {
      // A deploy ends no message that a node has sent.
      if (entry.taskId !== undefined && entry.run === RUN) await remove(id).catch(warn)
      else if (!contents) sealed += 1
      else if (recovered.condemned.includes(id)) await setAside(id, contents, entry.taskId)
      else messages.set(id, resume(id, contents, entry.taskId))
    }
    if (sealed > 0) node.error(runtime._('warning.cannotOpen', { count: sealed }))
    const turns = oneAtATime({
      clock: systemClock,
      suspects: recovered.suspects,
      send: (id) => resumeAlone(id, messages),
      onTurnOver: handled.endTurn,
      onOver() {
        suspects.delete(turns)
        try {
          handled.begin([...messages.keys()])
        } catch (failure) {
          warn(failure)
        }
        for (const message of messages.values()) handle(message)
      },
    })
    suspects.add(turns)
    turns.start()
  }

  async function takeOver(): Promise<void> {
    if (hasResumed && (await journal.takeOver()) > 0) await handleLeft()
  }

  return {
    onAdopted(listener) {
      take = listener
    },
    isDecided: (message) => decided.has(message),
    knownWithdrawal: (message) => decided.get(message),
    async park(message, withdrawnAt) {
      const id = ids.get(message)
      if (id !== undefined) await journal.park(id, withdrawnAt)
      ids.delete(message)
      left.delete(message)
      service.orphansChanged()
    },
    async accept(message, order) {
      const id = runtime.util.generateId()
      if (await write(id, { message, order })) ids.set(message, id)
      else node.warn(runtime._('warning.noRoom'))
    },
    resumed: (message) => left.get(message),
    async created(message, taskId, sent) {
      const id = ids.get(message)
      // The flow may send the same message to the node once more.
      ids.delete(message)
      left.delete(message)
      if (id === undefined) return
      await journal.rewrite(id, { message: sent }, taskId).catch(warn)
      handOvers.begin(taskId, id)
    },
    async forget(message) {
      const id = ids.get(message)
      ids.delete(message)
      left.delete(message)
      if (id !== undefined) await remove(id).catch(warn)
    },
    isKept: (message) => ids.has(message),
    async resume(handler) {
      handle = handler
      await journal.takeOver()
      await handleLeft()
      await aside.resume()
      hasResumed = true
    },
    async close(isDeleted) {
      leave()
      stopTakingOver()
      stopListening()
      // The messages of a living process have reached the nodes behind this one.
      if (isDeleted) await handOvers.endAll()
      else handOvers.stop()
      for (const turns of suspects) turns.stop()
      aside.close(isDeleted)
      handled.close(isDeleted)
    },
  }
}

/** Entries of tasks that exist, each removed when its task is taken over or has had the time for it. */
function createHandOvers(remove: (id: string) => unknown) {
  const waiting = new Map<number, { id: string; cancel: () => void }>()
  const end = (taskId: number): unknown => {
    const known = waiting.get(taskId)
    if (!known) return undefined
    waiting.delete(taskId)
    known.cancel()
    return remove(known.id)
  }
  return {
    begin(taskId: number, id: string) {
      end(taskId)
      waiting.set(taskId, { id, cancel: systemClock.after(HAND_OVER_MS, () => end(taskId)) })
    },
    end,
    endAll: () => Promise.all([...waiting.keys()].map(end)),
    stop() {
      for (const { cancel } of waiting.values()) cancel()
    },
  }
}
