/** Delivers one message over MLLP: again and again while that may help, with the same control id, and judges the answer. */
import { type BackOff, grown, SERVICE_BACK_OFF, spread } from '../../../lib/back-off.ts'
import type { Clock } from '../../../lib/clock.ts'
import { type Answer, readAnswer } from '../../../lib/hl7/acknowledgement.ts'
import { Hl7Error } from '../../../lib/hl7/hl7-error.ts'
import { breaksFrame } from '../../../lib/hl7/mllp/frames.ts'
import { MllpError } from '../../../lib/hl7/mllp/mllp-error.ts'
import type { IsAnswer, MllpSender } from '../../../lib/hl7/mllp/send.ts'
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
  /** Called before each try. What it throws ends the delivery. */
  checkTurn?: () => void
  /** Called before what the receiver has sent is read. */
  onFrame?: () => void
  /** Called with the control id of a message before it is sent. */
  onTry?: (controlId: string) => void
  /** Called with each failure after which the message is sent again, before the delay. */
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
  /** The receiver's code (MSA-1); undefined without an answer. */
  code?: string
  /** Undefined when the message is accepted. */
  failure?: Failure
}

/** Reads the ids of a message to be sent. Throws `Hl7Error`. */
export function addressOf(bytes: Uint8Array): { controlId: string } {
  if (breaksFrame(bytes))
    throw new Hl7Error(
      'The message has a byte 0x0B or 0x1C, which MLLP cannot carry. Remove it, or escape it in hexadecimal digits.',
    )
  const message = parseHeader(bytes, { characterSet: 'iso-8859-1' })
  checkSegments(bytes)
  const controlId = valueAt(message, 'MSH-10')
  if (controlId === '') throw new Hl7Error('MSH-10, the control id, is empty, so answers could not be matched to it.')
  return { controlId }
}

/**
 * Resolves when the receiver has accepted the message, refused it permanently, or was asked without success `maxTries` times. As long as the
 * receiver cannot be reached, or not in trust, it continues trying. Rejects with the reason of the signal.
 */
export async function deliver(bytes: Uint8Array, options: DeliverOptions): Promise<Delivery> {
  const { clock, random, maxTries, countTry, checkTurn, onTryFailed, signal } = options
  for (let failures = 1; ; failures += 1) {
    checkTurn?.()
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

/** The failures that another try may fix: whether it counts, and the pauses. */
const MAY_PASS: Partial<Record<Failure['code'], { hasArrived: boolean; backOff: BackOff }>> = {
  UNREACHABLE: { hasArrived: false, backOff: SERVICE_BACK_OFF },
  UNTRUSTED: { hasArrived: false, backOff: UNTRUSTED_BACK_OFF },
  UNANSWERED: { hasArrived: true, backOff: SERVICE_BACK_OFF },
  WRONG_ANSWER: { hasArrived: true, backOff: SERVICE_BACK_OFF },
  NOT_ACCEPTED: { hasArrived: true, backOff: SERVICE_BACK_OFF },
}

async function once(bytes: Uint8Array, { sender, onTry, onFrame }: DeliverOptions): Promise<Delivery> {
  const { controlId } = addressOf(bytes)
  onTry?.(controlId)
  const others = { named: 0, unnamed: 0 }
  const isOurs: IsAnswer = (frame, isAlone) => {
    onFrame?.()
    const answer = answerIn(frame)
    if (answer === null) return false
    if (answer.controlId === controlId) return true
    if (answer.controlId !== '') others.named += 1
    // A second answer without an id would be taken for that of the next message, so the connection ends with the first.
    else if (isAlone) return 'last'
    else others.unnamed += 1
    return false
  }
  try {
    return judged(answerIn(await sender.send(bytes, isOurs))!)
  } catch (failure) {
    if (!(failure instanceof MllpError)) throw failure
    const reason = [failure.message, ...inWords(others)].join(' ')
    return { isAccepted: false, failure: { code: codeOf(failure, others), reason } }
  }
}

const inWords = ({ named, unnamed }: Others): string[] => [
  ...(named > 0 ? [`It answered ${named} times with the control id of another message (MSA-2).`] : []),
  ...(unnamed > 0
    ? ['It answered without a control id (MSA-2 is empty), so the answer could belong to an earlier message.']
    : []),
]

/** How many answers came that were not to the message under way. */
interface Others {
  named: number
  unnamed: number
}

function codeOf({ code, mayHaveArrived }: MllpError, { named, unnamed }: Others): Failure['code'] {
  if (mayHaveArrived) return code === 'unanswered' && named + unnamed > 0 ? 'WRONG_ANSWER' : 'UNANSWERED'
  return code === 'untrusted' ? 'UNTRUSTED' : 'UNREACHABLE'
}

/** Table 0008. */
function judged({ code, isAccepted }: Answer): Delivery {
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
