/** Hands e-mails to the mail server. What it knows of a failure is its kind: texts of the server may hold addresses. */
import type { Transporter } from 'nodemailer'
import { type MailFailure, type MailProblem, mailProblemOf } from '../../domain/notices/mail-problem.ts'
import type { MailText } from '../../domain/notices/texts.ts'
import type { ProxyPlace } from '../../domain/proxy-place.ts'

export interface MailServer {
  /** smtp: or smtps:, with the user where the server asks for one. */
  url: string
  password: string | undefined
  from: string
  /** Over smtp:, `required` sends nothing before STARTTLS; `off` encrypts nothing. */
  tls: 'required' | 'off'
  /** PEM of the authorities that vouch for the server; those of Node.js when omitted. */
  ca: string | undefined
  /** Through which the server is called; undefined where it is called directly. */
  proxy?: ProxyPlace | undefined
}

export interface Mail extends MailText {
  to: string
  /** Where a click ends such e-mails; null where there is nothing to end. */
  offUrl: string | null
}

export interface Mailer {
  /** Resolves when the server lets us in. Rejects with a `MailFault`. */
  verify(): Promise<void>
  /** Resolves when the server has taken the e-mail. Rejects with a `MailFault`. */
  send(mail: Mail): Promise<void>
  close(): void
}

export class MailFault extends Error {
  override readonly name = 'MailFault'
  /** The code for the log. */
  readonly code: MailProblem
  constructor(problem: MailProblem) {
    super(problem)
    this.code = problem
  }
}

const CONNECT_TIMEOUT_MS = 10_000
const ANSWER_TIMEOUT_MS = 20_000

export function createMailer({ url, password, from, tls, ca, proxy }: MailServer): Mailer {
  const { protocol, hostname, port, username } = new URL(url)
  const secure = protocol === 'smtps:'
  const options = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'off',
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: password ?? '' } }),
    ...(ca !== undefined && { tls: { ca } }),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: ANSWER_TIMEOUT_MS,
    ...(proxy && { proxy: proxy.url }),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  let transport: Promise<Transporter> | undefined
  /** The library is loaded for the first e-mail: it is large, and not every service sends any. */
  const opened = () => {
    transport ??= import('nodemailer').then(({ createTransport }) => createTransport(options))
    return transport
  }
  const faultOf = (failure: MailFailure): never => {
    throw new MailFault(mailProblemOf(failure))
  }
  return {
    async verify() {
      await (await opened()).verify().catch(faultOf)
    },
    async send({ to, subject, text, offUrl }) {
      const headers = {
        'Auto-Submitted': 'auto-generated',
        ...(offUrl !== null && {
          'List-Unsubscribe': `<${offUrl}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      }
      await (await opened()).sendMail({ from, to, subject, text, headers }).catch(faultOf)
    },
    close: () => void transport?.then((open) => open.close()),
  }
}
