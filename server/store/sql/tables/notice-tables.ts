/** Who is notified by e-mail that documents wait, and the e-mails that are owed. */
import type { NoticeMode } from '../../../domain/notices/schedule.ts'

export interface NoticeTables {
  /** The setting of a signer; no row: nothing is sent. */
  noticeSetting: {
    npi: string
    mode: NoticeMode
    hour: number
    timeZone: string
    /** Where the notices go; null: there is no address yet that may be used. */
    address: string | null
    /** The address that the signer has entered and not confirmed. */
    unconfirmed: string | null
    /** When it was entered. */
    enteredAt: string | null
    /** Keyed by the store; of the code that confirms it; null until the e-mail with the code is sent. */
    codeDigest: string | null
    codeEndsAt: string | null
    /** Wrong codes since then. */
    codeTries: number
    /** In the links that end the notices: random, and good for nothing else. */
    offKey: string
    updatedAt: string
  }
  /** One e-mail that is owed to a signer. What it says is found out when it is sent. */
  owedNotice: {
    npi: string
    /** `delegation` is no e-mail: when it is due, a delegation begins that may make one owed. */
    kind: 'waiting' | 'code' | 'delegation'
    /** When it is to be sent, or when the lease of the process ends that is sending it. */
    dueAt: string
    /** Counted up when something happens that it tells of: so no one takes it for sent who has not notified of that. */
    version: number
    /** Tries in a row that failed. */
    failures: number
  }
}
