/**
 * Sends what comes again at each start until it was dealt with. What may have ended the process is sent alone, and after two ends it is
 * set aside.
 */
import { systemClock } from '../../../lib/clock.ts'
import { queueOf } from '../database/journal-choice.ts'
import { onBeat } from '../database/where.ts'
import { afterTurning, type OneAtATime, oneAtATime, SURVIVED_MS } from '../handling/one-at-a-time.ts'
import { createSetAside } from '../held/set-aside.ts'
import { taken } from '../intake/taken.ts'
import { FlowError, knownFailure, NodeError, stopped } from '../runtime/failures.ts'
import type { Message, Runtime, RuntimeNode } from '../runtime/node-red.ts'
import { openHandledOrders } from './handled-orders.ts'

export interface GuardedSendOptions {
  runtime: Runtime
  node: RuntimeNode
  /** Called with the number of messages that are set aside after each change, and at the start when there are any. */
  onCount: (count: number) => void
}

export interface Guarded {
  /** The same at each start. */
  id: string
  message: Message
  /** The output, counted from 0, or the code of the error that the message is given to Catch nodes with. */
  output: number | string
  send: () => void
  /** Called when the message was set aside: notes that a person decides about it, so that it does not come again. */
  settle?: () => Promise<void>
}

export interface GuardedSend {
  /** Offers what earlier starts have set aside, and sends again what was resent before a crash. Called once, when the flows run. */
  open(): void
  /**
   * Resolves when the message was sent and, after it may have ended the process, when the process has survived it. Rejects when the
   * node closes before.
   */
  pass(guarded: Guarded): Promise<'sent' | 'set aside'>
  /** The flow has dealt with the message, so the process has survived it. */
  done(id: string): void
  /** Ends all turns. Messages whose turn has not come reject. */
  close(isDeleted: boolean): void
}

export function createGuardedSend({ runtime, node, onCount }: GuardedSendOptions): GuardedSend {
  const warn = (failure: unknown) => node.warn(knownFailure(failure).message)
  const handled = openHandledOrders(() => queueOf(runtime, 'handled', node.id), systemClock, warn)
  /** Functions that clear the marks of messages that a person has resent. */
  const resent = new Set<() => void>()
  /** By the id of each message that is not to be sent: resolves when it is held; undefined when that has not begun. */
  const condemned = new Map<string, Promise<void> | undefined>()
  const suspects = new Map<string, number>()
  let isRecovered = false
  let stopTakingOver = () => {}
  /** Resolves when the turns of all suspects so far are over. */
  let alone: Promise<unknown> = Promise.resolve()
  let turns: OneAtATime<string> | undefined
  let isClosed = false
  let endTurn = () => {}

  const aside = createSetAside({ runtime, node, emit: emitAgain, onCount })

  /** No journal sends it again, so it is taken over when the process has survived it. */
  function emitAgain({ guardedOutput, ...message }: Message): void {
    if (typeof guardedOutput === 'string') {
      const errors = Array.isArray(message.errors) ? message.errors : []
      node.error(new FlowError(new NodeError(guardedOutput, errors.join('; '))), message)
    } else node.send([...Array<null>(Number(guardedOutput) || 0).fill(null), message])
    const survived = () => {
      cancel()
      resent.delete(survived)
      taken(message)
    }
    const cancel = afterTurning(systemClock, SURVIVED_MS, survived)
    resent.add(survived)
  }

  /** Reads what earlier starts have left, before anything is marked. */
  function recover(): void {
    if (!isRecovered) takeOver()
    isRecovered = true
  }

  function takeOver(): void {
    const recovered = handled.takeOver()
    for (const id of recovered.condemned) condemned.set(id, condemned.get(id))
    for (const { id, deaths } of recovered.suspects) suspects.set(id, deaths)
  }

  function orWarn(work: () => void): void {
    try {
      work()
    } catch (failure) {
      warn(failure)
    }
  }

  async function setAside({ id, message, output, settle }: Guarded): Promise<void> {
    // The message that it was made of is no longer in the hands of this flow.
    const { intake: _, ...own } = message
    const holding = condemned.get(id) ?? aside.hold({ ...own, guardedOutput: output })
    condemned.set(id, holding)
    try {
      await holding
    } catch (failure) {
      condemned.set(id, undefined)
      throw failure
    }
    await settle?.()
    if (isClosed) return
    condemned.delete(id)
    handled.end(id)
  }

  function sendAlone({ id, send }: Guarded, deaths: number): Promise<void> {
    if (isClosed) return Promise.reject(stopped())
    return new Promise((resolve, reject) => {
      let isSent = false
      const turn = oneAtATime({
        clock: systemClock,
        suspects: [{ id, deaths }],
        send() {
          try {
            handled.beginAlone(id)
            isSent = true
            send()
            return true
          } catch (failure) {
            reject(failure)
            return false
          }
        },
        onTurnOver: handled.endTurn,
        onOver: resolve,
      })
      turns = turn
      endTurn = () => {
        turn.stop()
        if (isSent) resolve()
        else reject(stopped())
      }
      turn.start()
    })
  }

  return {
    open() {
      if (isClosed) return
      orWarn(() => {
        recover()
        aside.resume().catch((failure: unknown) => isClosed || warn(failure))
        stopTakingOver = onBeat(queueOf(runtime, 'handled', node.id), () => orWarn(takeOver))
      })
    },
    async pass(guarded) {
      if (isClosed) throw stopped()
      const { id, send } = guarded
      recover()
      if (condemned.has(id)) {
        await setAside(guarded)
        return 'set aside'
      }
      const deaths = suspects.get(id)
      if (deaths === undefined) {
        await alone
        if (isClosed) throw stopped()
        handled.begin([id])
        send()
        return 'sent'
      }
      suspects.delete(id)
      const turn = alone.then(() => sendAlone(guarded, deaths))
      alone = turn.catch(() => {})
      await turn
      return 'sent'
    },
    done(id) {
      if (isClosed || condemned.has(id)) return
      orWarn(() => handled.end(id))
      turns?.done(id)
    },
    close(isDeleted) {
      isClosed = true
      stopTakingOver()
      endTurn()
      for (const survived of resent) survived()
      aside.close(isDeleted)
      handled.close(isDeleted)
    },
  }
}
