/** Judges what came over MLLP before it is stored: whether it can be read, and is meant for us. Pure. */
import type { Verdict } from '../../../lib/hl7/acknowledgement.ts'
import { Hl7Error } from '../../../lib/hl7/hl7-error.ts'
import { HL7_LIMITS } from '../../../lib/hl7/limits.ts'
import type { Message } from '../../../lib/hl7/message.ts'
import { checkSegments, parseHeader } from '../../../lib/hl7/parse-message.ts'
import { valueAt } from '../../../lib/hl7/value-at.ts'

export interface Refusal {
  verdict: Exclude<Verdict, 'A'>
  /** Of table 0357. */
  errorCode: string
  /** Without values of the message: its sender writes it to its log. */
  reason: string
}

export interface Judged {
  /** What is answered; when nothing can be read, a header that names nobody. */
  message: Message
  refusal: Refusal | null
}

export interface Judging {
  /** The processing ids (MSH-11) that are taken; every one when empty. */
  processingIds: readonly string[]
}

/** Bytes that are characters of their own: so an answer repeats what stands in a header, in any character set, byte for byte. */
const AS_BYTES = { characterSet: 'iso-8859-1' }
const NOBODY = parseHeader(Buffer.from('MSH|^~\\&|||||||||P|2.5.1\r'))

export function judge(bytes: Uint8Array, { processingIds }: Judging): Judged {
  try {
    const message = wholeHeader(bytes)
    checkSegments(bytes)
    return { message, refusal: refusalOf(message, processingIds) }
  } catch (failure) {
    if (!(failure instanceof Hl7Error)) throw failure
    const reason = `The message cannot be read. ${failure.message}`
    return { message: headerOf(bytes), refusal: { verdict: 'R', errorCode: '100', reason } }
  }
}

/** Judges a message of which only the beginning is known, because it is longer than the limit. */
export function judgeTooLong(head: Uint8Array, limitBytes: number): Judged {
  const reason = `The message is longer than ${limitBytes} bytes, which is the most that is taken here.`
  return { message: headerOf(head), refusal: { verdict: 'R', errorCode: '207', reason } }
}

/** Judges a frame that has a byte of frames within it: which messages it contains is uncertain. */
export function judgeBroken(head: Uint8Array, byte: number): Judged {
  const what = byte === 0x0b ? '0x0B' : '0x1C without 0x0D after it'
  const reason = `The message has the byte ${what}, which begins or ends a frame of MLLP. Remove it, or escape it in hexadecimal digits.`
  return { message: headerOf(head), refusal: { verdict: 'R', errorCode: '207', reason } }
}

function refusalOf(message: Message, processingIds: readonly string[]): Refusal | null {
  if (valueAt(message, 'MSH-10') === '')
    return { verdict: 'R', errorCode: '101', reason: 'MSH-10, the control id, is empty.' }
  if (!/^2(\.\d+)*$/.test(valueAt(message, 'MSH-12')))
    return { verdict: 'R', errorCode: '203', reason: 'MSH-12 is no version of HL7 v2.' }
  if (processingIds.length > 0 && !processingIds.includes(valueAt(message, 'MSH-11')))
    return { verdict: 'R', errorCode: '202', reason: `MSH-11 is none of ${processingIds.join(', ')}.` }
  return null
}

/** The first line alone, which may be right where others are not. */
function headerOf(bytes: Uint8Array): Message {
  for (const header of [bytes, withoutCharacterSet(bytes)]) {
    try {
      return wholeHeader(header)
    } catch {}
  }
  return NOBODY
}

/** Returns the header up to MSH-17: a message whose MSH-18 cannot be read must still be named by its answer. */
function withoutCharacterSet(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.subarray(0, HL7_LIMITS.headerBytes)).toString('latin1')
  const [line = ''] = text.slice(Math.max(0, text.indexOf('MSH'))).split(/[\r\n]/)
  const field = line[3] ?? '|'
  return Buffer.from(line.split(field).slice(0, 17).join(field), 'latin1')
}

/** Splits each field at once, within the limits: the answer repeats them, and must not fail because of one. */
function wholeHeader(bytes: Uint8Array): Message {
  const { segments, ...header } = parseHeader(bytes, AS_BYTES)
  return { ...header, segments: segments.map(({ name, fields }) => ({ name, fields })) }
}
