/** The summary of a held message for users of the editor: why it is held and its ids, and nothing of its contents. */
import { HL7_LIMITS } from '../../../lib/hl7/limits.ts'
import { parseHeader } from '../../../lib/hl7/parse-message.ts'
import { valueAt } from '../../../lib/hl7/value-at.ts'
import type { Message } from '../runtime/node-red.ts'

export interface Summary {
  /** Why it is held, as sentences. */
  reasons: string[]
  /** MSH-10 of a message in HL7; null for any other. */
  controlId: string | null
  /** MSH-9 of a message in HL7, for example `MDM^T02`; null for any other. */
  messageType: string | null
}

export function summaryOf({ held, payload }: Message): Summary {
  return { reasons: Array.isArray(held) ? held.map(String) : [], ...headerOf(payload) }
}

/** Bytes that are characters of their own: a header can be read although the message cannot. */
const AS_BYTES = { characterSet: 'iso-8859-1' }

function headerOf(payload: unknown): Pick<Summary, 'controlId' | 'messageType'> {
  const bytes = typeof payload === 'string' ? Buffer.from(payload.slice(0, HL7_LIMITS.headerBytes)) : payload
  if (!Buffer.isBuffer(bytes)) return NO_HEADER
  try {
    const header = parseHeader(bytes, AS_BYTES)
    const type = [valueAt(header, 'MSH-9.1'), valueAt(header, 'MSH-9.2')].filter(Boolean).join('^')
    return { controlId: valueAt(header, 'MSH-10') || null, messageType: type || null }
  } catch {
    return NO_HEADER
  }
}

const NO_HEADER = { controlId: null, messageType: null }
