/**
 * Limits on how a message may be divided. A message of a few megabytes that consists of delimiters would otherwise become millions of
 * values and take the memory of the whole process. Each limit is far above what senders do, and is checked before anything is split.
 */
import { Hl7Error } from './hl7-error.ts'

export const HL7_LIMITS = {
  /** Lines, blank ones included. A PDF of 10 MB with an OBX for each line of Base64 has 184,000. */
  segments: 200_000,
  /**
   * The length of MSH in bytes, because the answer repeats its fields. The standard gives its fields less than 4,000 characters
   * altogether.
   */
  headerBytes: 65_536,
  /**
   * The fields of a segment. The longest of the standard, OM1 and IN2, have fewer than 80; a place such as PID-999 has three
   * digits.
   */
  fields: 999,
  /** The repetitions of a field. A place such as PID-3(9999) has four digits. */
  repetitions: 9_999,
  /** The components of a repetition. XAD and XCN have 23. */
  components: 999,
  /** The subcomponents of a component. */
  subcomponents: 999,
  /** Values of one field, over all of its repetitions: 9,999 repetitions with the five components of an id. */
  valuesPerField: 50_000,
  /** Values of all fields that are read of one message. A patient, visit and order have a few hundred; 100,000 results a million. */
  valuesPerMessage: 1_000_000,
  /** Fields and values in the segments that a result repeats: MSH, PID, PV1, ORC, OBR and TXA. An order has about 200. */
  valuesPerResult: 50_000,
  /** Escape sequences in one value. A PDF of 10 MB with an escaped line break after each line of Base64 has 184,000. */
  escapes: 250_000,
  /** The messages of a batch, and the batches of a file. Each message is stored and answered by itself, and a header alone takes ten bytes. */
  messagesPerBatch: 10_000,
  /** Lines of a batch, blank ones included. One of 32 MB with an OBX for each line of Base64 has 400,000. */
  segmentsPerBatch: 500_000,
} as const

const NAMES = {
  segments: 'segments',
  headerBytes: 'bytes',
  fields: 'fields',
  repetitions: 'repetitions',
  components: 'components',
  subcomponents: 'subcomponents',
  valuesPerField: 'values',
  valuesPerMessage: 'values in the fields that are read',
  valuesPerResult: 'fields and values in the segments that its result repeats',
  escapes: 'escape sequences',
  messagesPerBatch: 'messages',
  segmentsPerBatch: 'segments',
} as const satisfies Record<keyof typeof HL7_LIMITS, string>

/** Returns the error that names what has too many of something: `PID-3`, `The message`. */
export const tooMany = (what: string, limit: keyof typeof HL7_LIMITS): Hl7Error =>
  new Hl7Error(
    `${what} has more than ${HL7_LIMITS[limit].toLocaleString('en-US')} ${NAMES[limit]}, which is the most that is read. ` +
      'Check the delimiters in MSH-2 and let the sender divide the message differently.',
  )

/** Returns how often a character occurs in a part of a text, and stops counting above `most`. */
export function countIn(text: string, character: string, most: number): number {
  let count = 0
  for (let at = text.indexOf(character); at >= 0 && count <= most; at = text.indexOf(character, at + 1)) count += 1
  return count
}
