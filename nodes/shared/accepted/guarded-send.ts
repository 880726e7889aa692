/**
 * Sends what comes again at each start until a flow has handled it. What has ended the process is then sent alone, and after two ends it
 * is set aside.
 */

import { join } from 'node:path'
import { systemClock } from '../../../lib/clock.ts'
import { afterTurning, type OneAtATime, oneAtATime, SURVIVED_MS } from '../handling/one-at-a-time.ts'
import { createSetAside } from '../held/set-aside.ts'
import { taken } from '../intake/taken.ts'
import { knownFailure, stopped } from '../runtime/failures.ts'
import type { Message, Runtime, RuntimeNode } from '../runtime/node-red.ts'
import { folderOf } from '../service/settings.ts'
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
  /** Counted from 0. */
  output: number
  send: () => void
}

export interface GuardedSend {
  /** Offers what earlier starts have set aside, and sends again what was resent before a crash. Called once the flows run. */
  open(): void
  /** Resolves when the message was sent and, after it may have ended the process, when the process has survived it. */
  pass(guarded: Guarded): Promise<'sent' | 'set aside'>
  /** Ends all turns. Messages whose turn has not come reject. */
  close(isDeleted: boolean): void
}

export function createGuardedSend({ runtime, node, onCount }: GuardedSendOptions): GuardedSend {
  const warn = (failure: unknown) => node.warn(knownFailure(failure).message)
  const handled = openHandledOrders(join(folderOf(runtime), `handled-${node.id}.sqlite`), systemClock, warn)
  const resent = new Set<() => void>()
  let recovered: { condemned: Set<string>; suspects: Map<string, number> } | undefined
  let alone: Promise<unknown> = Promise.resolve()
  let isClosed = false
  let endTurn = () => {}

  const aside = createSetAside({
    runtime,
    node,
    emit({ guardedOutput, ...message }) {
      node.send([...Array<null>(Number(guardedOutput) || 0).fill(null), message])
      const cancel = afterTurning(systemClock, SURVIVED_MS, () => {
        resent.delete(cancel)
        taken(message)
      })
      resent.add(cancel)
    },
    onCount,
  })

  function recover() {
    const { condemned, suspects } = handled.recovered
    recovered ??= {
      condemned: new Set(condemned),
      suspects: new Map(suspects.map(({ id, deaths }) => [id, deaths])),
    }
    return recovered
  }

  function sendAlone({ id, send }: Guarded, deaths: number): Promise<void> {
    if (isClosed) return Promise.reject(stopped())
    return new Promise((resolve, reject) => {
      let isSent = false
      const turns: OneAtATime<string> = oneAtATime({
        clock: systemClock,
        suspects: [{ id, deaths }],
        send() {
          try {
            handled.beginAlone(id)
            send()
            isSent = true
            return true
          } catch (failure) {
            reject(failure)
            return false
          }
        },
        onOver: resolve,
      })
      endTurn = () => {
        turns.stop()
        if (isSent) resolve()
        else reject(stopped())
      }
      turns.start()
    })
  }

  return {
    open() {
      if (isClosed) return
      try {
        recover()
        aside.resume()
      } catch (failure) {
        warn(failure)
      }
    },
    async pass(guarded) {
      if (isClosed) throw stopped()
      const { id, message, output, send } = guarded
      const { condemned, suspects } = recover()
      if (condemned.has(id)) {
        aside.hold({ ...message, guardedOutput: output })
        condemned.delete(id)
        handled.end(id)
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
    close(isDeleted) {
      isClosed = true
      endTurn()
      for (const cancel of resent) cancel()
      aside.close(isDeleted)
      handled.close(isDeleted)
    },
  }
}
