/** Why an exchange over MLLP failed. */

const MEANINGS = {
  unreachable: 'Nobody takes messages at the address. Check host, port and TLS, and whether the receiver runs.',
  cut: 'The connection ended before the message was answered.',
  unanswered: 'The receiver did not answer in time.',
  unreadable: 'The receiver answered with something that is no acknowledgement.',
  closed: 'The sender was closed.',
} as const

export type MllpErrorCode = keyof typeof MEANINGS

/** An exchange without an acknowledgement. */
export class MllpError extends Error {
  /** The name of the class, which tells it apart also where several copies of this package are loaded. */
  override readonly name = 'MllpError'
  readonly code: MllpErrorCode
  /** Whether the receiver may have the message. It is sent again all the same, with the same control id. */
  readonly mayHaveArrived: boolean
  constructor(code: MllpErrorCode, mayHaveArrived: boolean, reason?: string) {
    super(reason === undefined ? MEANINGS[code] : `${MEANINGS[code]} (${reason})`)
    this.code = code
    this.mayHaveArrived = mayHaveArrived
  }
}
