/** Is a PDF as it was signed here? The page's server and the command answer the same. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Verdict } from '../../../lib/pdf/seal/verify.ts'
import { VERIFICATIONS_PER_ADDRESS, VERIFY_WINDOW_MS } from '../../../server/choices.ts'
import { createSealCertificate } from '../../../server/pdf/seal/certificate.ts'
import { called } from '../../support/commands/called.ts'
import { runningClock } from '../../support/fake-clock.ts'
import { orderPdf } from '../../support/pdf/order-pdf.ts'
import { verifiedAt } from '../../support/sealed/verified-at.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { aWaitingOrder } from '../../support/service/a-waiting-order.ts'
import { countersign } from '../../support/service/served.ts'

async function signedBy(service: TestService): Promise<Buffer> {
  const taskId = await aWaitingOrder(service)
  await service.signs(taskId)
  const query = { includeOutputAttachment: true }
  const { output } = await service.client.readTask({ params: { id: taskId }, query })
  return Buffer.from(output!.attachment!, 'base64')
}

describe('verifying a document', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'))
  const data = join(folder, 'data')
  const clock = runningClock()
  let service: TestService
  let signed: Buffer
  before(async () => {
    service = await aService({ clock, data })
    signed = await signedBy(service)
  })
  after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(() => clock.advance(VERIFY_WINDOW_MS))

  const ask = (pdf: Uint8Array, change = {}) => verifiedAt(service.baseUrl, pdf, change)
  const run = async (pdf: Uint8Array, ...options: string[]) => {
    const file = join(folder, 'document.pdf')
    writeFileSync(file, pdf)
    return called(['verify', file, ...options])
  }
  const changed = () => {
    const copy = Buffer.from(signed)
    copy[copy.length >> 1]! ^= 1
    return copy
  }

  it('confirms one that was signed here', async () => {
    const { status, body } = await ask(signed)
    expect(status).to.equal(200)
    expect(body.valid).to.equal(true)
    expect(body.signatures[0]).to.deep.include({ state: 'valid', isPinned: true, coversWholeDocument: true })
    const file = join(folder, 'signed.pdf')
    writeFileSync(file, signed)
    const { code, stdout } = await countersign(['verify', file, '--data', data])
    expect([code, stdout]).to.deep.equal([
      0,
      'TEST: unchanged, but not a legal signature\nThis is a TEST document from a sandbox. The document was signed by Ruth Calder DO, NPI 9999900035. It is as it was sealed by Countersign sandbox seal (TEST: not a legal signature): not a byte has changed.\n',
    ])
    const details = await run(signed, '--data', data, '--details')
    expect(details.stdout).to.include('whole document signed  yes').and.to.include('changed after signing  no')
  })

  it('catches one flipped bit', async () => {
    expect((await ask(changed())).body.valid).to.equal(false)
    const { code, stdout } = await run(changed(), '--data', data)
    expect(code).to.equal(1)
    expect(stdout).to.match(/^Not valid\n/)
  })

  it('catches what was added after signing', async () => {
    const added = Buffer.concat([signed, Buffer.from('\n% more')])
    const { body } = await ask(added)
    expect(body.valid).to.equal(false)
    expect(body.signatures[0]).to.deep.include({ coversWholeDocument: false, changedAfterSigning: true })
    const { code, stdout } = await run(added, '--json')
    expect(code).to.equal(1)
    expect((JSON.parse(stdout) as Verdict).signatures[0]?.changedAfterSigning).to.equal(true)
  })

  it('calls nothing valid without a certificate, because anybody can sign in that name', async () => {
    const { code, stdout } = await run(signed)
    expect(code).to.equal(2)
    expect(stdout).to.match(/^Signed by an unknown signer\nThe document was signed\. The certificate names /)
  })

  it('takes the certificate that the service exports, and no other', async () => {
    const exported = await countersign(['certificate', 'export', '--data', data])
    expect(exported.stdout).to.match(/^-----BEGIN CERTIFICATE-----\n[^-]+-----END CERTIFICATE-----\n$/)
    const file = join(folder, 'seal.pem')
    writeFileSync(file, exported.stdout)
    expect((await run(signed, '--certificate', file)).code).to.equal(0)
    expect((await run(changed(), '--certificate', file)).code).to.equal(1)
    writeFileSync(file, (await createSealCertificate(new Date())).certificatePem)
    expect((await run(signed, '--certificate', file)).code).to.equal(2)
    expect((await run(signed, '--certificate', join(folder, 'document.pdf'))).code).to.equal(2)
    const unused = await called(['certificate', 'export', '--data', join(folder, 'elsewhere')])
    expect(unused.code).to.equal(2)
  })

  it('tells the seal of another service from its own', async () => {
    const other = await aService()
    try {
      const { body } = await ask(await signedBy(other))
      expect(body.valid).to.equal(false)
      expect(body.signatures[0]).to.deep.include({ state: 'valid', isPinned: false })
    } finally {
      await other.stop()
    }
  })

  it('says so when there is no signature', async () => {
    const { body } = await ask(await orderPdf())
    expect(body).to.deep.include({ outcome: 'notSigned', valid: false, summary: 'The document is not signed.' })
    expect((await run(await orderPdf())).code).to.equal(1)
  })

  it('says so when it is no PDF', async () => {
    const { body } = await ask(Buffer.from('hello'))
    expect(body).to.deep.include({ outcome: 'notPdf', headline: 'Not a PDF', valid: false })
    const { code, stdout } = await run(Buffer.from('hello'))
    expect([code, stdout]).to.deep.equal([1, 'Not a PDF\nThe file is not a PDF.\n'])
  })

  it('exits with 2 when there is no such file', async () => {
    expect((await countersign(['verify', join(folder, 'none.pdf')])).code).to.equal(2)
  })

  it('takes nothing from other sites, nothing but PDF, and not too much', async () => {
    expect((await ask(signed, { origin: 'https://evil.example' })).status).to.equal(403)
    expect((await ask(signed, { 'content-type': 'text/plain' })).status).to.equal(415)
    const small = await Promise.all(
      Array.from({ length: VERIFICATIONS_PER_ADDRESS + 1 }, () => ask(Buffer.from('%PDF-'))),
    )
    expect(small.some(({ status }) => status === 429)).to.equal(true)
  })
})
