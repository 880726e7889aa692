/** Delivers one message over MLLP: again and again while that may help, with the same control id, and judges the answer. */
import { type BackOff, grown, SERVICE_BACK_OFF, spread } from '../../../lib/back-off.ts'
import type { Clock } from '../../../lib/clock.ts'
import { type Answer, readAnswer, wantedAcknowledgements } from '../../../lib/hl7/acknowledgement.ts'
import { Hl7Error } from '../../../lib/hl7/hl7-error.ts'
import { breaksFrame } from '../../../lib/hl7/mllp/frames.ts'
import { MllpError } from '../../../lib/hl7/mllp/mllp-error.ts'
import type { MllpSender } from '../../../lib/hl7/mllp/send.ts'
import { checkSegments, parseHeader, parseMessage } from '../../../lib/hl7/parse-message.ts'
import { valueAt } from '../../../lib/hl7/value-at.ts'

export interface DeliverOptions {
  sender: Pick<MllpSender, 'send'>
  clock: Clock
  random: () => number
  /** How often a message is sent that arrives, but is not accepted. */
  maxTries: number
  /** Counts such a try, and returns how many there were. */
  countTry: () => number
  /** Called before what the receiver has sent is read. */
  onFrame: () => void
  /** Told of each failure that another try may mend, before the pause. */
  onTryFailed: (failure: Failure) => void
  signal: AbortSignal
}

/** Codes for flows, and a reason without values of the message. */
export interface Failure {
  code: 'UNREACHABLE' | 'UNTRUSTED' | 'UNANSWERED' | 'NOT_ACCEPTED' | 'REJECTED' | 'WRONG_ANSWER'
  reason: string
}

export interface Delivery {
  isAccepted: boolean
  /** What the receiver answered (MSA-1); undefined without an answer. */
  code?: string
  /** Undefined when the message is accepted. */
  failure?: Failure
}

/** What can be read of a message that is to be sent. Throws `Hl7Error`. */
export function addressOf(bytes: Uint8Array): { controlId: string; wantsReceipt: boolean } {
  if (breaksFrame(bytes))
    throw new Hl7Error(
      'The message has a byte 0x0B or 0x1C, which MLLP cannot carry. Remove it, or escape it in hexadecimal digits.',
    )
  const message = parseHeader(bytes, { characterSet: 'iso-8859-1' })
  checkSegments(bytes)
  const controlId = valueAt(message, 'MSH-10')
  if (controlId === '')
    throw new Hl7Error('MSH-10, the control id, is empty, so no answer could be told from another one.')
  return { controlId, wantsReceipt: wantedAcknowledgements(message).commit !== null }
}

/**
 * Resolves when the receiver has accepted the message, refused it for good, or was asked in vain `maxTries` times. As long as the
 * receiver cannot be reached, or not in trust, it goes on trying. Rejects with the reason of the signal.
 */
export async function deliver(bytes: Uint8Array, options: DeliverOptions): Promise<Delivery> {
  const { clock, random, maxTries, countTry, onTryFailed, signal } = options
  for (let failures = 1; ; failures += 1) {
    const tried = await once(bytes, options)
    signal.throwIfAborted()
    const { failure } = tried
    if (!failure || !MAY_PASS[failure.code]) return tried
    const { hasArrived, backOff } = MAY_PASS[failure.code]!
    if (hasArrived && countTry() >= maxTries) return tried
    onTryFailed(failure)
    await clock.sleep(spread(grown(backOff, failures), random()), signal)
  }
}

/** A certificate lasts until a person does something, and each try is an alarm at the receiver. */
const UNTRUSTED_BACK_OFF: BackOff = { firstMs: 60_000, longestMs: 10 * 60_000 }

/** The failures that another try may mend: whether it counts, and the pauses. */
const MAY_PASS: Partial<Record<Failure['code'], { hasArrived: boolean; backOff: BackOff }>> = {
  UNREACHABLE: { hasArrived: false, backOff: SERVICE_BACK_OFF },
  UNTRUSTED: { hasArrived: false, backOff: UNTRUSTED_BACK_OFF },
  UNANSWERED: { hasArrived: true, backOff: SERVICE_BACK_OFF },
  NOT_ACCEPTED: { hasArrived: true, backOff: SERVICE_BACK_OFF },
}

async function once(bytes: Uint8Array, { sender, onFrame }: DeliverOptions): Promise<Delivery> {
  const { controlId, wantsReceipt } = addressOf(bytes)
  // A later judgement of the message before must not be taken for the receipt of this one.
  const isOurs = (frame: Uint8Array) => {
    onFrame()
    const answer = answerIn(frame)
    return answer !== null && (!wantsReceipt || answer.isCommit || answer.controlId === controlId)
  }
  try {
    return judged(answerIn(await sender.send(bytes, isOurs))!, controlId)
  } catch (failure) {
    if (!(failure instanceof MllpError)) throw failure
    return { isAccepted: false, failure: { code: codeOf(failure), reason: failure.message } }
  }
}

function codeOf({ code, mayHaveArrived }: MllpError): Failure['code'] {
  if (mayHaveArrived) return 'UNANSWERED'
  return code === 'untrusted' ? 'UNTRUSTED' : 'UNREACHABLE'
}

/** Table 0008. */
function judged({ code, controlId: answered, isAccepted }: Answer, controlId: string): Delivery {
  if (answered !== controlId)
    return refused('WRONG_ANSWER', code, 'The receiver answered another message than it was sent (MSA-2).')
  if (isAccepted) return { isAccepted, code }
  if (code.endsWith('E'))
    return refused('NOT_ACCEPTED', code, `The receiver answered ${code}: it could not take the message.`)
  return refused('REJECTED', code, `The receiver answered ${code}: it does not take the message.`)
}

const refused = (code: Failure['code'], answer: string, reason: string): Delivery => ({
  isAccepted: false,
  code: answer,
  failure: { code, reason },
})

/** Null for what is no acknowledgement. */
export function answerIn(frame: Uint8Array): Answer | null {
  try {
    return readAnswer(parseMessage(frame, { characterSet: 'iso-8859-1' }))
  } catch {
    return null
  }
}
