/** Answers to a message: who wants one, and what it says. HL7 v2.5.1 chapter 2.9. Pure. */
import { type Field, fieldOf, fieldWith, type Message, type Segment } from './message.ts'
import { valueAt } from './value-at.ts'

/** Table 0008. `A…` judges the message (original mode, or application level), `C…` its receipt alone (enhanced mode). */
export type AcknowledgementCode = 'AA' | 'AE' | 'AR' | 'CA' | 'CE' | 'CR'

export interface Acknowledgement {
  code: AcknowledgementCode
  /** MSH-10 of the answer. */
  id: string
  at: Date
  /**
   * Why the message was not taken, or, of one that was, why a person has to look at it: for ERR-8 and MSA-3. Without values of the
   * message, as senders write it to their logs.
   */
  reason?: string
  /** Table 0357, for ERR-3. Optional; 207, an internal error, by default. */
  errorCode?: string
}

/** The conditions of MSH-15 and MSH-16 (table 0155): always, never, on error only, on success only. */
export type WantedWhen = 'AL' | 'NE' | 'ER' | 'SU'

export interface WantedAcknowledgements {
  /** When receipt is acknowledged; null in original mode. */
  commit: WantedWhen | null
  /** When the message is acknowledged; in original mode always. */
  application: WantedWhen
}

const isWantedWhen = (text: string): text is WantedWhen => ['AL', 'NE', 'ER', 'SU'].includes(text)

/** A sender who asks in a way that the standard does not have waits for an answer. */
const wantedWhen = (text: string): WantedWhen => (isWantedWhen(text) ? text : text === '' ? 'NE' : 'AL')

/** Returns which answers a message asks for. When MSH-15 and MSH-16 are both empty, it is of the original mode. */
export function wantedAcknowledgements(message: Message): WantedAcknowledgements {
  const [commit = '', application = ''] = ['MSH-15', 'MSH-16'].map((place) => valueAt(message, place).trim())
  if (commit === '' && application === '') return { commit: null, application: 'AL' }
  return { commit: wantedWhen(commit), application: wantedWhen(application) }
}

/** Whether a sender who asks for answers at these times wants one with this code. */
export function isWanted(wanted: WantedWhen | null, code: AcknowledgementCode): boolean {
  if (wanted === null || wanted === 'NE') return false
  return wanted === 'AL' || (wanted === 'SU') === code.endsWith('A')
}

/** Returns the answer to a message: to its sender, with its control id, version, processing id and delimiters. */
export function acknowledge(message: Message, { code, id, at, reason, errorCode = '207' }: Acknowledgement): Message {
  const header = message.segments[0]!
  const same = (number: number): Field => fieldOf(header, number)
  const trigger = valueAt(message, 'MSH-9.2')
  const fields: Field[] = [
    same(1),
    same(2),
    same(5),
    same(6),
    same(3),
    same(4),
    fieldWith(timestamp(at)),
    [],
    [[['ACK'], ...(trigger === '' ? [] : [[trigger], ['ACK']])]],
    fieldWith(id),
    same(11),
    same(12),
    ...[13, 14, 15, 16, 17].map(() => []),
    same(18),
  ]
  const judged: Segment = {
    name: 'MSA',
    fields: [fieldWith(code), same(10), reason === undefined ? [] : fieldWith(reason)],
  }
  const explained: Segment = {
    name: 'ERR',
    fields: [
      [],
      [],
      fieldWith(errorCode),
      // Table 0516.
      fieldWith({ A: 'W', E: 'E', R: 'F' }[code[1] as Verdict]),
      [],
      [],
      [],
      fieldWith(reason ?? ''),
    ],
  }
  return {
    delimiters: message.delimiters,
    characterSet: message.characterSet,
    segments: [{ name: 'MSH', fields }, judged, ...(code.endsWith('A') && reason === undefined ? [] : [explained])],
  }
}

/** The verdict on a message: accepted, not accepted because of an error on our side, or because of one in the message. */
export type Verdict = 'A' | 'E' | 'R'

/**
 * Returns the codes of the answers that the sender of a message wants, in their order: one in the original mode; in the enhanced
 * mode that of the receipt, and then, where the receipt was not refused, that of the message.
 */
export function wantedCodes(message: Message, verdict: Verdict): AcknowledgementCode[] {
  const { commit, application } = wantedAcknowledgements(message)
  const [receipt, judgement] = [`C${verdict}`, `A${verdict}`] as const
  const tellsReceipt = isWanted(commit, receipt)
  const tellsJudgement = isWanted(application, judgement) && (verdict === 'A' || !tellsReceipt)
  return [...(tellsReceipt ? [receipt] : []), ...(tellsJudgement ? [judgement] : [])]
}

/** The contents of an acknowledgment. */
export interface Answer {
  /** The code of MSA-1; senders use others too. */
  code: string
  /** MSH-10 of the message that it answers. */
  controlId: string
  isAccepted: boolean
  /** Only the receipt was judged, and the message is still to be. */
  isCommit: boolean
}

/** Reads an acknowledgement. Returns null for a message without MSA. */
export function readAnswer(message: Message): Answer | null {
  const code = valueAt(message, 'MSA-1').trim().toUpperCase()
  if (code === '') return null
  return {
    code,
    controlId: valueAt(message, 'MSA-2'),
    isAccepted: code === 'AA' || code === 'CA',
    isCommit: code.startsWith('C'),
  }
}

/** Returns a time as HL7 writes it, in UTC, to the second: `20260115140305+0000`. */
export const timestamp = (at: Date): string => `${at.toISOString().replace(/[-:T]/g, '').slice(0, 14)}+0000`
