/** The status of a node that delivers: how many messages wait, the result of the last one, and why the next is not taken. */
import { FlowError, NodeError } from '../runtime/failures.ts'
import type { Runtime, RuntimeNode } from '../runtime/node-red.ts'
import { type Shown, show, shownFailure, shownSetAside } from '../runtime/status.ts'
import type { Delivery, Failure } from './deliver.ts'

export interface DeliveryStatus {
  queued(count: number): void
  /** Tells of a refused certificate also by an error, once: only a person can fix that. */
  tryFailed(failure: Failure, count: number): void
  delivered(delivery: Delivery, count: number): void
  /** How many messages are set aside. */
  setAside(count: number): void
  /** Counts an answer that was not to the message under way. */
  stray(): void
  /** It cannot deliver. */
  failed(failure: { code: string }): void
}

const TRYING: Record<Failure['code'], string> = {
  UNREACHABLE: 'unreachable',
  UNTRUSTED: 'certificateRefused',
  UNANSWERED: 'noAnswer',
  NOT_ACCEPTED: 'notAccepted',
  REJECTED: 'refused',
  WRONG_ANSWER: 'noAnswer',
}

export function deliveryStatus(runtime: Runtime, node: RuntimeNode): DeliveryStatus {
  let last: Shown | null = null
  /** Lasts until a message is delivered. */
  let trouble: string | null = null
  let asideCount = 0
  let strays = 0
  let queued = 0
  const tell = (count: number) => {
    queued = count
    const waiting: Shown = trouble
      ? { tone: 'bad', key: trouble, details: [{ key: 'queued', values: { count } }] }
      : { tone: 'busy', key: 'queued', values: { count } }
    const ended = last && strays > 0 ? { ...last, details: [{ key: STRAYS, values: { count: strays } }] } : last
    show(runtime, node, count > 0 ? waiting : (shownSetAside(asideCount) ?? ended))
  }
  return {
    queued: tell,
    tryFailed({ code, reason }, count) {
      const isNew = trouble !== TRYING[code]
      trouble = TRYING[code]
      if (isNew && code === 'UNTRUSTED') node.error(new FlowError(new NodeError(code, reason)))
      tell(count)
    },
    delivered({ isAccepted }, count) {
      trouble = null
      last = { ...(isAccepted ? DELIVERED : REFUSED), at: Date.now() }
      tell(count)
    },
    setAside(held) {
      asideCount = held
      tell(queued)
    },
    stray() {
      strays += 1
      tell(queued)
    },
    failed: ({ code }) => show(runtime, node, shownFailure(code)),
  }
}

/** A text of `news`. */
const STRAYS = 'strays'
const DELIVERED: Shown = { tone: 'good', key: 'delivered' }
const REFUSED: Shown = { tone: 'bad', key: 'refused' }
