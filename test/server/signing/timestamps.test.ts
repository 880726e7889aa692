/** A service whose seals bear timestamps: what it does when the authority gives none, and what it tells of one. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Verdict } from '../../../lib/pdf/seal/verify.ts'
import { aFolder } from '../../support/a-folder.ts'
import { tlsIdentity } from '../../support/network/tls-identity.ts'
import { verifiedAt } from '../../support/sealed/verified-at.ts'
import { installed } from '../../support/seen/external-checks.ts'
import { textOf } from '../../support/seen/text-of.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { aWaitingOrder } from '../../support/service/a-waiting-order.ts'
import { countersign } from '../../support/service/served.ts'
import { aTimestampAuthority, type TimestampAuthority } from '../../support/timestamps/a-timestamp-authority.ts'

describe('a service with a timestamp authority', function () {
  if (!installed.openssl) return void it('needs openssl')
  this.timeout(60_000)
  let authority: TimestampAuthority
  let service: TestService
  const folder = aFolder()
  before(async () => {
    authority = await aTimestampAuthority()
    const url = new URL(authority.url)
    url.username = 'clinic'
    service = await aService({
      data: join(folder, 'data'),
      timestampUrl: url.href,
      timestampPassword: 'a secret',
      timestampHeader: 'X-Contract: 4711',
      timestampCa: authority.ca,
      timestampTimeout: 1,
    })
  })
  after(async () => {
    await service?.stop()
    await authority?.stop()
  })

  const sign = (taskId: number, asked = service) => asked.ask('POST', `/sandbox/v1/tasks/${taskId}/sign`)
  async function signedPdf(taskId: number, asked = service): Promise<string> {
    const query = { includeOutputAttachment: true }
    return (await asked.client.readTask({ params: { id: taskId }, query })).output!.attachment!
  }
  async function verdictOn(pdf: string): Promise<Verdict> {
    return (await verifiedAt(service.baseUrl, Buffer.from(pdf, 'base64'))).body
  }

  /** The verdict in full, where the command is told who vouches for the authority. */
  async function verifiedByCommand(pdf: string): Promise<string> {
    const [file, ca] = [join(folder, 'signed.pdf'), join(folder, 'ca.pem')]
    writeFileSync(file, pdf, 'base64')
    writeFileSync(ca, authority.ca)
    const options = ['--data', join(folder, 'data'), '--timestamp-ca', ca, '--details']
    const { code, stdout, stderr } = await countersign(['verify', file, ...options])
    expect([code, stderr]).to.deep.equal([0, ''])
    return stdout
  }

  it('signs nothing without one that it requires, says why, and signs once there is one', async () => {
    const taskId = await aWaitingOrder(service)
    for (const [conduct, why] of [
      ['silent', 'did not answer in time'],
      ['garbage', 'gave an answer that is no timestamp'],
    ] as const) {
      authority.conduct = conduct
      const { status, errors } = await sign(taskId)
      expect(status).to.equal(503)
      expect(errors.join()).to.match(
        new RegExp(
          `^The document was not signed: it needs a timestamp, and the timestamp authority ${why}\\. What you`,
        ),
      )
    }
    expect((await service.client.readTask({ params: { id: taskId } })).status).to.equal('Pending')
    authority.conduct = 'good'
    expect((await sign(taskId)).status).to.equal(204)
    const pdf = await signedPdf(taskId)
    const { valid, signatures } = await verdictOn(pdf)
    expect(valid).to.equal(true)
    expect(signatures[0]!.timestamp).to.deep.include({ authority: 'CN=Harbor Time', isTrusted: true })
    expect(await verifiedByCommand(pdf)).to.contain(`${signatures[0]!.timestamp!.at}, by CN=Harbor Time`)
  })

  it('shows its credentials to the authority', async () => {
    authority.conduct = 'good'
    await sign(await aWaitingOrder(service))
    expect(authority.asked.at(-1)).to.deep.include({
      authorization: `Basic ${Buffer.from('clinic:a secret').toString('base64')}`,
      'x-contract': '4711',
      'content-type': 'application/timestamp-query',
    })
  })

  it('seals without one where it may, and its certificate page says so; calls no address of a private network', async () => {
    const asked: string[] = []
    const lenient = await aService({
      timestampUrl: 'http://time.harbor.example/tsa',
      timestampRule: 'ifAvailable',
      async resolve(host) {
        asked.push(host)
        return [{ address: '10.0.0.9', family: 4 }]
      },
    })
    try {
      const taskId = await aWaitingOrder(lenient)
      expect((await sign(taskId, lenient)).status).to.equal(204)
      const pdf = await signedPdf(taskId, lenient)
      expect((await textOf(pdf)).replace(/\s+/g, ' ')).to.contain(
        'Timestamp none: time.harbor.example gave none when the document was sealed',
      )
      expect(asked).to.deep.equal(['time.harbor.example'])
      expect((await verdictOn(pdf)).signatures[0]).to.deep.include({ state: 'valid', timestamp: null })
    } finally {
      await lenient.stop()
    }
  })

  it('asks over TLS, and tells nothing to a host for which no known authority vouches', async () => {
    const { authority: root, server, selfSigned } = await tlsIdentity()
    for (const [identity, signs] of [
      [server, true],
      [selfSigned, false],
    ] as const) {
      const secure = await aTimestampAuthority(identity)
      const asking = await aService({ timestampUrl: secure.url, timestampCa: secure.ca + root })
      try {
        const { status, errors } = await sign(await aWaitingOrder(asking), asking)
        expect(status).to.equal(signs ? 204 : 503)
        expect(secure.asked).to.have.length(signs ? 1 : 0)
        if (!signs) expect(errors.join()).to.contain('showed a TLS certificate that this service does not trust')
      } finally {
        await asking.stop()
        await secure.stop()
      }
    }
  })

  it('tells an authority that is away from one that is slow', async () => {
    const taskId = await aWaitingOrder(service)
    await authority.stop()
    expect((await sign(taskId)).errors.join()).to.contain('the timestamp authority could not be reached.')
  })
})
