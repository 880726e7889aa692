/** Why the mail server took no e-mail, as the console and the log say it. None of these names an address or a password. */

export type MailProblem = 'away' | 'insecure' | 'refusedUser' | 'refusedAddress' | 'refusedMail'

export const mailProblems: Readonly<Record<MailProblem, string>> = {
  away: 'The mail server does not answer. Check --smtp-url.',
  insecure: 'There is no secure connection to the mail server. Check its certificate, --smtp-ca and --smtp-tls.',
  refusedUser: 'The mail server refuses the user or the password. Check --smtp-url and COUNTERSIGN_SMTP_PASSWORD.',
  refusedAddress: 'The mail server refuses an address: that of --smtp-from, or that of a signer.',
  refusedMail: 'The mail server took no e-mail for now, or refuses them.',
}

/** The error code from nodemailer, and the cause from Node.js. */
export interface MailFailure {
  code?: string | undefined
  originalCode?: string | undefined
}

export function mailProblemOf({ code = '', originalCode = code }: MailFailure): MailProblem {
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'refusedUser'
  if (code === 'EENVELOPE') return 'refusedAddress'
  if (/TLS|SSL|CERT|SIGNATURE/.test(originalCode)) return 'insecure'
  if (/^E(CONNECTION|SOCKET|DNS|TIMEDOUT|CONNREFUSED|CONNRESET|NOTFOUND)$/.test(code)) return 'away'
  return 'refusedMail'
}
