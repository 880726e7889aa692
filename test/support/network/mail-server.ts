/** A real SMTP server that keeps what it takes, refuses on demand, and can go away and come back at its port. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { eventually } from '../eventually.ts'
import { overhear } from '../overheard.ts'
import { tlsIdentity } from './tls-identity.ts'

export const USER = 'countersign'
export const PASSWORD = 'mail-server-password'

export interface Taken {
  to: string
  /** As it travelled: headers, an empty line, text. */
  raw: string
  /** The text, put together again. */
  text: string
  isSecure: boolean
}

export type MailServer = Awaited<ReturnType<typeof aMailServer>>

export async function aMailServer(options: SMTPServerOptions = {}) {
  const { authority, server: identity } = await tlsIdentity()
  const taken: Taken[] = []
  /** What the next e-mails are refused with, in order. */
  const refusals: { code: number; text: string }[] = []
  let rightPassword = PASSWORD
  let port = 0
  let server: SMTPServer

  async function start(): Promise<void> {
    server = new SMTPServer({
      ...identity,
      logger: false,
      authMethods: ['PLAIN', 'LOGIN'],
      onAuth: ({ username, password }, _session, callback) =>
        username === USER && password === rightPassword
          ? callback(null, { user: USER })
          : callback(Object.assign(new Error(`535 no, ${username}`), { responseCode: 535 })),
      onRcptTo(_address, _session, callback) {
        const refusal = refusals.shift()
        callback(refusal ? Object.assign(new Error(refusal.text), { responseCode: refusal.code }) : null)
      },
      onData(stream, { envelope, secure }, callback) {
        let raw = ''
        stream.setEncoding('utf8').on('data', (piece: string) => (raw += piece))
        stream.on('end', () => {
          overhear(raw)
          taken.push({ to: envelope.rcptTo[0]!.address, raw, text: textOf(raw), isSecure: secure })
          callback()
        })
      },
      ...options,
    })
    server.on('error', () => {})
    server.listen(port, '127.0.0.1')
    await once(server.server, 'listening')
    port = (server.server.address() as AddressInfo).port
  }
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()))
  await start()
  return {
    authority,
    get url() {
      return `smtp://${USER}@127.0.0.1:${port}`
    },
    taken,
    refusals,
    /** Lets the user in with this password from now on. */
    setPassword(password: string) {
      rightPassword = password
    },
    start,
    stop,
    /** Resolves with the e-mail of this number, from 1. */
    async took(number: number): Promise<Taken> {
      await eventually(() => {
        if (taken.length < number) throw new Error(`The mail server took ${taken.length} e-mails, not ${number}.`)
      })
      return taken[number - 1]!
    },
  }
}

/** Of a message of one part, as nodemailer writes it. */
function textOf(raw: string): string {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const body = rest.join('\r\n\r\n')
  if (/^content-transfer-encoding: base64/im.test(head)) return Buffer.from(body, 'base64').toString('utf8')
  if (!/^content-transfer-encoding: quoted-printable/im.test(head)) return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
