/** Reads what a receiver says of messages that are not under way: later judgments after a receipt, and strays. */
import type { Message } from '../runtime/node-red.ts'
import { addressOf, answerIn, type Delivery } from './deliver.ts'

/** `accepted` is the expected judgment after a receipt; a stray answers a message that was judged already, or none. */
export type Judgement = 'accepted' | 'stray' | Refused

export interface Refused {
  controlId: string
  code: string
  /** The message without its payload; empty when it was sent before the last restart. */
  message: Message
}

export interface Judgements {
  /** Notes that a message is under way until `end`. */
  begin(controlId: string): void
  /** Notes what a message was answered. */
  end(message: Message, delivery: Delivery): void
  /** Judges a frame that does not answer the message under way. */
  take(frame: Uint8Array): Judgement
}

/** How many of the last messages are known. A receiver that judges later than that is answered for by the control id alone. */
const MOST = 1000

export function createJudgements(): Judgements {
  /** The last messages by control id; null when nothing more is expected. */
  const ended = new Map<string, Message | null>()
  let underWay: string | null = null
  const remember = (controlId: string, message: Message | null) => {
    ended.delete(controlId)
    ended.set(controlId, message)
    const [oldest] = ended.keys()
    if (ended.size > MOST && oldest !== undefined) ended.delete(oldest)
  }

  return {
    begin(controlId) {
      underWay = controlId
    },
    end({ payload, ...properties }, { isAccepted, code }) {
      const { controlId } = addressOf(payload as Uint8Array)
      underWay = null
      remember(controlId, isAccepted && code === 'CA' ? properties : null)
    },
    take(frame) {
      const answer = answerIn(frame)
      if (answer === null || answer.isCommit || answer.controlId === '' || answer.controlId === underWay) return 'stray'
      const { controlId, code, isAccepted } = answer
      const message = ended.get(controlId)
      if (message === null) return 'stray'
      remember(controlId, null)
      if (isAccepted) return message ? 'accepted' : 'stray'
      return code === 'AE' || code === 'AR' ? { controlId, code, message: message ?? {} } : 'stray'
    },
  }
}
