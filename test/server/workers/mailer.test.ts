/** What is sent to a mail server, and when nothing is, because the connection would not be as it was asked for. */
import { expect } from 'chai'
import { createMailer, type MailServer as Settings } from '../../../server/workers/notices/mailer.ts'
import { aMailServer, type MailServer, PASSWORD } from '../../support/network/mail-server.ts'

describe('the mailer', () => {
  let plain: MailServer
  let encrypted: MailServer
  let wrapped: MailServer
  before(async () => {
    ;[plain, encrypted, wrapped] = await Promise.all([
      aMailServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true }),
      aMailServer(),
      aMailServer({ secure: true }),
    ])
  })
  after(() => Promise.all([plain, encrypted, wrapped].map((server) => server?.stop())))

  const mailerFor = (server: MailServer, change: Partial<Settings> = {}) =>
    createMailer({
      url: server.url,
      password: PASSWORD,
      from: 'notices@sign.example.org',
      tls: 'required',
      ca: server.authority,
      ...change,
    })
  const codeOf = (work: Promise<void>): Promise<string> =>
    work.then(
      () => 'sent',
      ({ code }: { code: string }) => code,
    )
  const mail = { to: 'ruth@practice.example', subject: 'Hello', text: 'Is 1 < 2? Ünïcödé.', offUrl: null }

  it('encrypts by STARTTLS, or from the start, and checks who answers', async () => {
    await mailerFor(encrypted).send(mail)
    expect(encrypted.taken[0]).to.include({ to: mail.to, isSecure: true })
    expect(encrypted.taken[0]!.text.trim()).to.equal(mail.text)
    const url = wrapped.url.replace('smtp:', 'smtps:')
    expect(await codeOf(mailerFor(wrapped, { url }).send(mail))).to.equal('sent')
    expect(await codeOf(mailerFor(encrypted, { ca: undefined }).send(mail))).to.equal('insecure')
    expect(await codeOf(mailerFor(wrapped, { url, ca: encrypted.authority }).verify())).to.equal('insecure')
  })

  it('sends nothing in the clear, unless that was asked for', async () => {
    expect(await codeOf(mailerFor(plain).send(mail))).to.equal('insecure')
    expect(plain.taken).to.deep.equal([])
    expect(await codeOf(mailerFor(plain, { tls: 'off' }).send(mail))).to.equal('sent')
    expect(plain.taken[0]!.isSecure).to.equal(false)
  })

  it('says what was refused, and nothing that the server has said', async () => {
    const failures = [
      mailerFor(encrypted, { password: 'wrong' }).verify(),
      mailerFor(encrypted, { url: 'smtp://127.0.0.1:9' }).verify(),
    ]
    expect(await Promise.all(failures.map(codeOf))).to.deep.equal(['refusedUser', 'away'])
    encrypted.refusals.push({ code: 550, text: `550 no such ${mail.to}` })
    const refused = await mailerFor(encrypted)
      .send(mail)
      .catch((failure: Error) => failure)
    expect(refused).to.include({ code: 'refusedAddress', message: 'refusedAddress' }).and.not.to.have.property('cause')
  })
})
