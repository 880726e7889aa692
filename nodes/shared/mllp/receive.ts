/** Takes the frames of a sender: stores each message, then answers it as its header asks. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { acknowledge, wantedCodes } from '../../../lib/hl7/acknowledgement.ts'
import { acknowledgeBatch, type Batch, takeApart } from '../../../lib/hl7/batch.ts'
import type { Message as Hl7Message } from '../../../lib/hl7/message.ts'
import type { Frame } from '../../../lib/hl7/mllp/frames.ts'
import { valueAt } from '../../../lib/hl7/value-at.ts'
import { writeMessage } from '../../../lib/hl7/write-message.ts'
import { giveBack } from '../../../lib/memory.ts'
import type { Intake } from '../intake/intake.ts'
import { collectAfter } from '../large/collect.ts'
import { NodeError } from '../runtime/failures.ts'
import type { Message } from '../runtime/node-red.ts'
import { heldFor, type Judging, judge, judgeBroken, judgeTooLong, type Refusal } from './judged.ts'

export interface ReceiveOptions extends Judging {
  intake: Pick<Intake, 'accept'>
  limitBytes: number
  now: () => Date
  /** Returns a control id of an answer, another one each time. */
  newId: () => string
  /** Whether one more message can be held for a person. */
  hasRoomToHold: () => boolean
  /** Called with why a message could not be stored, and with null when one was. */
  onStored: (failure: unknown) => void
  /** Called with why a message was stored that no flow can use as it is. */
  onHeld: (reason: string) => void
  /** Called with why a message was refused, which is not stored, and with the address of its sender. */
  onRefused: (reason: string, address: string) => void
  /** Called with a number of bytes that came outside of frames, and with the address of their sender. */
  onUnframed: (bytes: number, address: string) => void
}

/** In bytes. Smaller messages take a few milliseconds. */
const LARGE = 1024 * 1024
/** Messages of a batch that share a sync, and their bytes. The event loop turns after them, as it belongs to others, too. */
const PER_TURN = 100
const BYTES_PER_TURN = 256 * 1024

const JOURNAL_DOWN = refusalOfOurs('The journal of the receiver cannot be written. Send the message again later.')
const JOURNAL_FULL = refusalOfOurs('The journal of the receiver is full. Send the message again later.')
const HELD_FULL = refusalOfOurs(
  'The message cannot be used as it is, and the receiver holds as many of those as it may. Send the message again later.',
)

/** Returns what answers a frame, for `serveMllp`. Never rejects. */
export function createReceive(options: ReceiveOptions): (frame: Frame, sender: Sender) => Promise<Uint8Array[]> {
  const { intake, limitBytes, now, newId, hasRoomToHold, onStored, onHeld, onRefused, onUnframed } = options

  const answers = (message: Hl7Message, refusal: Refusal | null): Uint8Array[] => {
    const why = refusal ? { reason: refusal.reason, errorCode: refusal.errorCode } : {}
    return wantedCodes(message, refusal?.verdict ?? 'A').map((code) =>
      writeMessage(acknowledge(message, { code, id: newId(), at: now(), ...why })),
    )
  }

  /** @param isWhole whether nothing else is in the memory of these bytes, and nothing reads them again */
  async function store(
    properties: Message,
    bytes: Uint8Array,
    held: readonly string[],
    isWhole: boolean,
  ): Promise<Refusal | null> {
    const isHeld = held.length > 0
    if (isHeld && !hasRoomToHold()) {
      onStored(heldFull())
      return HELD_FULL
    }
    try {
      const accepting = intake.accept({ ...properties, ...(isHeld && { held: [...held] }) }, bytes)
      // It has a copy by now. The messages of a batch share their memory.
      if (isWhole) giveBack(bytes)
      const accepted = await accepting
      onStored(accepted === 'full' ? journalFull() : null)
      if (accepted === 'full') return JOURNAL_FULL
      if (isHeld && accepted === 'new') onHeld(held[0]!)
      return null
    } catch (failure) {
      onStored(failure)
      return JOURNAL_DOWN
    }
  }

  async function takeIn(bytes: Uint8Array, { address }: Sender, isWhole: boolean): Promise<Uint8Array[]> {
    const { message, refusal } = judge(bytes, options)
    // Judging a message of 32 MB takes up to 0.1 s, and so does sealing it: the event loop turns between them.
    if (bytes.length >= LARGE) await nextTurn()
    if (refusal?.isStored === false) {
      onRefused(refusal.reason, address)
      return answers(message, refusal)
    }
    const stored = await store(propertiesOf(bytes, message), bytes, refusal ? [refusal.reason] : [], isWhole)
    return answers(message, stored ?? refusal)
  }

  async function takeInBatch(bytes: Uint8Array, batch: Batch, sender: Sender): Promise<Uint8Array[]> {
    const { groups, findings } = batch
    const isUsable = findings.length === 0
    const whole = isUsable
      ? null
      : ((await store({ payload: viewOf(bytes) }, bytes, findings, false)) ?? heldWith(findings))
    const answerTo = async (one: Uint8Array) =>
      // A batch has one answer to a message: the last one, which judges more than its receipt.
      (isUsable ? await takeIn(one, sender, false) : answers(judge(one, options).message, whole)).slice(-1)
    const answered: Uint8Array[][] = []
    for (const { messages } of groups) {
      const ofGroup: Uint8Array[] = []
      for (const some of turnsOf(messages)) {
        await nextTurn()
        ofGroup.push(...(await Promise.all(some.map(answerTo))).flat())
      }
      answered.push(ofGroup)
    }
    const wantsNone = answered.flat().length === 0 && groups.some(({ messages }) => messages.length > 0)
    return wantsNone ? [] : [acknowledgeBatch(batch, { answers: answered, at: now(), newId })]
  }

  return async (frame, sender) => {
    if (frame.kind === 'too long' || frame.kind === 'broken') {
      const { message, refusal } =
        frame.kind === 'broken' ? judgeBroken(frame.head, frame.byte) : judgeTooLong(frame.head, limitBytes)
      onRefused(refusal!.reason, sender.address)
      return answers(message, refusal)
    }
    if (frame.kind === 'junk') onUnframed(frame.length, sender.address)
    // No sender waits for an answer to these.
    if (frame.kind !== 'message') return []
    const batch = takeApart(frame.bytes)
    if (frame.bytes.length >= LARGE) collectAfter(frame.bytes.length)
    const answered = batch === null ? takeIn(frame.bytes, sender, true) : takeInBatch(frame.bytes, batch, sender)
    return answered.finally(() => giveBack(frame.bytes))
  }
}

/** Divides messages of a batch into those that are taken in one turn of the event loop; a large one is alone in its turn. */
function* turnsOf(messages: readonly Uint8Array[]): Generator<Uint8Array[], void> {
  let some: Uint8Array[] = []
  let size = 0
  for (const message of messages) {
    if (some.length === PER_TURN || (some.length > 0 && size + message.length > BYTES_PER_TURN)) {
      yield some
      some = []
      size = 0
    }
    some.push(message)
    size += message.length
  }
  if (some.length > 0) yield some
}

export interface Sender {
  address: string
}

/** Returns what a flow gets of a message. */
export const propertiesOf = (bytes: Uint8Array, message: Hl7Message): Message => ({
  payload: viewOf(bytes),
  controlId: valueAt(message, 'MSH-10'),
  messageType: [valueAt(message, 'MSH-9.1'), valueAt(message, 'MSH-9.2')].filter(Boolean).join('^'),
})

/** A view of the bytes: a document may be large, and nothing else changes them. */
const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const heldWith = (findings: readonly string[]): Refusal =>
  heldFor('207', `The batch cannot be used as it is. ${findings.join(' ')}`)

const journalFull = () =>
  new NodeError(
    'INTAKE_FULL',
    'No more messages are accepted, because as many as the form allows wait for the flow to take them. Find out what holds them ' +
      'up, or allow more; the sender sends again.',
  )

const heldFull = () =>
  new NodeError(
    'HELD_FULL',
    'A message that cannot be used was not accepted, because as many as the form allows are held already. Correct and resend them, ' +
      'or discard them, in the sidebar; the sender sends again.',
  )

function refusalOfOurs(reason: string): Refusal {
  return { verdict: 'E', isStored: false, errorCode: '207', reason }
}
