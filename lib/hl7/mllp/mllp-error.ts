/** Why an exchange over MLLP failed. */

const MEANINGS = {
  unreachable:
    'No MLLP receiver is listening at the address. Check host, port and TLS, and whether the receiver is running.',
  untrusted:
    'The certificate of the receiver, or that of the sender, is refused. Let each side trust the authority of the other.',
  cut: 'The connection ended before the message was answered.',
  unanswered: 'The receiver did not answer in time.',
  unreadable: 'The receiver answered with something that is no acknowledgement.',
  closed: 'The sender was closed.',
} as const

/** Whether a connection failed because one side does not trust the certificate of the other. @param code of Node.js */
export const isRefusedCertificate = (code: string): boolean => /CERT|^UNABLE_TO_/.test(code)

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
