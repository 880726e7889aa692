/** Takes the frames of a sender: stores each message, then answers it as its header asks. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { acknowledge, type Verdict, wantedCodes } from '../../../lib/hl7/acknowledgement.ts'
import type { Message as Hl7Message } from '../../../lib/hl7/message.ts'
import type { Frame } from '../../../lib/hl7/mllp/frames.ts'
import { valueAt } from '../../../lib/hl7/value-at.ts'
import { writeMessage } from '../../../lib/hl7/write-message.ts'
import type { Intake } from '../intake/intake.ts'
import { NodeError } from '../runtime/failures.ts'
import { type Judging, judge, judgeBroken, judgeTooLong, type Refusal } from './judged.ts'

export interface ReceiveOptions extends Judging {
  intake: Pick<Intake, 'accept'>
  limitBytes: number
  now: () => Date
  /** Returns a control id of an answer, another one each time. */
  newId: () => string
  /** Told why a message could not be stored, and null when one was. */
  onStored: (failure: unknown) => void
}

/** In bytes. Smaller messages take a few milliseconds. */
const LARGE = 1024 * 1024

const JOURNAL_DOWN = refusalOfOurs('The journal of the receiver cannot be written. Send the message again later.')
const JOURNAL_FULL = refusalOfOurs('The journal of the receiver is full. Send the message again later.')

/** Returns what answers a frame, for `serveMllp`. Never rejects. */
export function createReceive(options: ReceiveOptions): (frame: Frame) => Promise<Uint8Array[]> {
  const { intake, limitBytes, now, newId, onStored } = options

  const answers = (message: Hl7Message, refusal: Refusal | null): Uint8Array[] => {
    const verdict: Verdict = refusal?.verdict ?? 'A'
    const why = refusal ? { reason: refusal.reason, errorCode: refusal.errorCode } : {}
    return wantedCodes(message, verdict).map((code) =>
      writeMessage(acknowledge(message, { code, id: newId(), at: now(), ...why })),
    )
  }

  async function store(bytes: Uint8Array, message: Hl7Message): Promise<Refusal | null> {
    const type = [valueAt(message, 'MSH-9.1'), valueAt(message, 'MSH-9.2')].filter(Boolean).join('^')
    // A view: a document may be large, and nothing else changes its bytes.
    const payload = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const properties = { payload, controlId: valueAt(message, 'MSH-10'), messageType: type }
    try {
      const accepted = await intake.accept(properties, bytes)
      onStored(accepted === 'full' ? journalFull() : null)
      return accepted === 'full' ? JOURNAL_FULL : null
    } catch (failure) {
      onStored(failure)
      return JOURNAL_DOWN
    }
  }

  return async (frame) => {
    if (frame.kind === 'too long') {
      const { message, refusal } = judgeTooLong(frame.head, limitBytes)
      return answers(message, refusal)
    }
    if (frame.kind === 'broken') {
      const { message, refusal } = judgeBroken(frame.head, frame.byte)
      return answers(message, refusal)
    }
    // No sender waits for an answer to junk.
    if (frame.kind === 'junk') return []
    const { message, refusal } = judge(frame.bytes, options)
    // Judging a message of 32 MB takes up to 0.1 s, and so does sealing it: the event loop turns between them.
    if (frame.bytes.length >= LARGE) await nextTurn()
    return answers(message, refusal ?? (await store(frame.bytes, message)))
  }
}

const journalFull = () =>
  new NodeError(
    'INTAKE_FULL',
    'No more messages are accepted, because as many as the form allows wait for the flow to take them. Find out what holds them ' +
      'up, or allow more; the sender sends again.',
  )

function refusalOfOurs(reason: string): Refusal {
  return { verdict: 'E', errorCode: '207', reason }
}
