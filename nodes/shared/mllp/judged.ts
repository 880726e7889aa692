/**
 * Judges what came over MLLP before it is stored: whether a flow can use it, or a person has to look at it first, or it cannot be
 * stored at all. Pure.
 */
import type { Verdict } from '../../../lib/hl7/acknowledgement.ts'
import { usualDelimiters } from '../../../lib/hl7/delimiters.ts'
import { CharacterSetError, Hl7Error } from '../../../lib/hl7/hl7-error.ts'
import { HL7_LIMITS } from '../../../lib/hl7/limits.ts'
import { fieldWith, type Message } from '../../../lib/hl7/message.ts'
import { checkSegments, parseHeader } from '../../../lib/hl7/parse-message.ts'
import { valueAt } from '../../../lib/hl7/value-at.ts'

export interface Refusal {
  /** The answer. `A`: it is stored, and held for a person. `E`: it cannot be stored now. `R`: its sender has to correct it. */
  verdict: Verdict
  /** Whether it is stored and held all the same; `A` always is. */
  isStored: boolean
  /** The code of table 0357. */
  errorCode: string
  /** The reason without values of the message: its sender writes it to its log. */
  reason: string
}

export interface Judged {
  /** The header to answer; it names nothing where the bytes have no MSH. */
  message: Message
  refusal: Refusal | null
}

export interface Judging {
  /** The processing ids (MSH-11) that are taken; every one when empty. */
  processingIds: readonly string[]
}

/** Bytes that are characters of their own: so an answer repeats what a header says, in any character set, byte for byte. */
const AS_BYTES = { characterSet: 'iso-8859-1' }
const UNNAMED = parseHeader(Buffer.from('MSH|^~\\&|||||||||P|2.5.1\r'))

export function judge(bytes: Uint8Array, { processingIds }: Judging): Judged {
  try {
    const message = wholeHeader(bytes)
    checkSegments(bytes)
    return { message, refusal: refusalOf(message, processingIds) }
  } catch (failure) {
    if (!(failure instanceof Hl7Error)) throw failure
    return unreadable(bytes, failure)
  }
}

/** Judges a message of which only the beginning is known, because it is longer than the limit. */
export function judgeTooLong(head: Uint8Array, limitBytes: number): Judged {
  const reason = `The message is longer than ${limitBytes} bytes, which is the most that is taken here.`
  return { message: headerOf(head) ?? UNNAMED, refusal: { verdict: 'R', isStored: false, errorCode: '207', reason } }
}

/** Judges a frame that has a byte of frames within it: which messages it contains is uncertain. */
export function judgeBroken(head: Uint8Array, byte: number): Judged {
  const what = byte === 0x0b ? '0x0B' : '0x1C without 0x0D after it'
  const reason = `The message has the byte ${what}, which begins or ends a frame of MLLP. Remove it, or escape it in hexadecimal digits.`
  return { message: headerOf(head) ?? UNNAMED, refusal: { verdict: 'R', isStored: false, errorCode: '207', reason } }
}

/**
 * Judges a message whose header or lines cannot be read. It is stored, unless it has no header. A sender that names a character set in
 * which its own header cannot be read has to correct that, so its message is rejected, too: it would send each further one alike.
 */
function unreadable(bytes: Uint8Array, failure: Hl7Error): Judged {
  const message = headerOf(bytes)
  const isWide = message !== null && bytes.subarray(0, HL7_LIMITS.headerBytes).includes(0)
  const hint = isWide ? ' It has bytes 0x00, as UTF-16 has; let the sender use UNICODE UTF-8.' : ''
  const reason = `The message cannot be read. ${failure.message}${hint}`
  const verdict = message === null || isWide || failure instanceof CharacterSetError ? 'R' : 'A'
  return {
    message: message ?? UNNAMED,
    refusal: { verdict, isStored: message !== null, errorCode: '100', reason },
  }
}

function refusalOf(message: Message, processingIds: readonly string[]): Refusal | null {
  const value = (place: string) => valueAt(message, place).trim()
  if (value('MSH-10') === '') return heldFor('101', 'MSH-10, the control id, is empty.')
  if (!/^2(\.\d+)*$/.test(value('MSH-12'))) return heldFor('203', 'MSH-12 is not a version of HL7 v2.')
  if (processingIds.length === 0 || processingIds.includes(value('MSH-11'))) return null
  return heldFor('202', `MSH-11 is not one of the processing ids that are taken here (${processingIds.join(', ')}).`)
}

/** Returns the refusal of a message that is stored and held: its sender need not send it again. */
export const heldFor = (errorCode: string, reason: string): Refusal => ({
  verdict: 'A',
  isStored: true,
  errorCode,
  reason,
})

/** Returns the header alone, which may be right where other lines are not; null when there is none. */
function headerOf(bytes: Uint8Array): Message | null {
  const line = headerLine(bytes)
  if (line === null) return null
  // A message whose MSH-18 cannot be read must still be named by its answer.
  const withoutCharacterSet = line.split(line[3]!).slice(0, 17).join(line[3])
  for (const header of [line, withoutCharacterSet]) {
    try {
      return wholeHeader(Buffer.from(header, 'latin1'))
    } catch {}
  }
  return tolerantHeader(line)
}

/** Returns the first line that begins with MSH and a delimiter, with a character for each byte. Bytes 0x00 do not count: UTF-16 has them. */
function headerLine(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes.subarray(0, HL7_LIMITS.headerBytes)).toString('latin1').replaceAll('\0', '')
  return /MSH[!-/:-@[-`{-~][^\r\n]*/.exec(text)?.[0] ?? null
}

/** Returns what names the message and its sender, where MSH-2 or a field that no answer repeats cannot be read. */
function tolerantHeader(line: string): Message {
  const component = /^[!-/:-@[-`{-~]$/.test(line[4] ?? '') && line[4] !== line[3] ? line[4]! : usualDelimiters.component
  const fields = line.split(line[3]!).map((text) => text.split(component, HL7_LIMITS.components).map((part) => [part]))
  const REPEATED = [3, 4, 5, 6, 9, 10, 11, 12, 15, 16]
  return {
    delimiters: usualDelimiters,
    characterSet: AS_BYTES.characterSet,
    segments: [
      {
        name: 'MSH',
        fields: Array.from({ length: 16 }, (_, index) => {
          const one = REPEATED.includes(index + 1) ? fields[index] : undefined
          return one === undefined || one.flat().every((part) => part === '') ? fieldWith('') : [one]
        }),
      },
    ],
  }
}

/** Splits each field at once, within the limits: the answer repeats them, and must not fail because of one. */
function wholeHeader(bytes: Uint8Array): Message {
  const { segments, ...header } = parseHeader(bytes, AS_BYTES)
  return { ...header, segments: segments.map(({ name, fields }) => ({ name, fields })) }
}
