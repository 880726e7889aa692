/** The seal of a service: its own, kept in the store, or the operator's P12 file. */
import { X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { expect } from 'chai'
import { certificatesIn } from '../../../lib/pdf/seal/pem.ts'
import { verifySealed } from '../../../lib/pdf/seal/verify.ts'
import { aFolder } from '../../support/a-folder.ts'
import { verifiedAt } from '../../support/sealed/verified-at.ts'
import { aService, createOverheard, type TestService } from '../../support/service/a-service.ts'
import { aWaitingOrder } from '../../support/service/a-waiting-order.ts'
import { countersign } from '../../support/service/served.ts'

const p12 = (name: string) => join(import.meta.dirname, '../../fixtures/p12', name)

async function withService<T>(options: Parameters<typeof aService>[0], work: (service: TestService) => Promise<T>) {
  const service = await aService(options)
  try {
    return await work(service)
  } finally {
    await service.stop()
  }
}

async function signedBy(service: TestService): Promise<Buffer> {
  const taskId = await aWaitingOrder(service)
  await service.signs(taskId)
  const query = { includeOutputAttachment: true }
  const { output } = await service.client.readTask({ params: { id: taskId }, query })
  return Buffer.from(output!.attachment!, 'base64')
}

const verdictOf = ({ baseUrl }: TestService, signed: Buffer) => verifiedAt(baseUrl, signed).then(({ body }) => body)

describe('the seal of a service', () => {
  const data = aFolder()

  it('is made once and kept, so that the service recognizes its documents after a restart', async () => {
    const signed = await withService({ data }, signedBy)
    const again = await withService({ data }, (service) => verdictOf(service, signed))
    expect([again.valid, again.signatures[0]?.isPinned]).to.deep.equal([true, true])
    const another = await withService({}, (service) => verdictOf(service, signed))
    expect([another.valid, another.signatures[0]?.isPinned]).to.deep.equal([false, false])
  })

  it("is the operator's when a P12 file is set", async () => {
    const own = { sealP12: p12('ec-aes256.p12'), sealPassword: 'secret' }
    const verdict = verifySealed(await withService(own, signedBy))
    expect(verdict.outcome).to.equal('signedByUnknown')
    expect(verdict.signatures[0]!.by).to.contain('Hospital seal')
  })

  it('may be replaced: documents sealed before stay valid, and both certificates can be exported', async () => {
    const changing = aFolder()
    const signed = await withService({ data: changing }, signedBy)
    const own = { data: changing, sealP12: p12('ec-aes256.p12'), sealPassword: 'secret' }
    const verdict = await withService(own, (service) => verdictOf(service, signed))
    expect(verdict).to.include({ valid: true })
    const exported = async (...more: string[]) => {
      const { stdout } = await countersign(['certificate', 'export', '--data', changing, ...more])
      return certificatesIn(stdout).map((pem) => new X509Certificate(pem).subject.split('\n')[0])
    }
    expect(await exported()).to.deep.equal(['CN=Hospital seal'])
    expect(await exported('--all')).to.deep.equal([
      'CN=Hospital seal',
      'CN=Countersign sandbox seal (TEST: not a legal signature)',
    ])
  })

  it('keeps the service from starting when the file cannot be used, and says why', async () => {
    const start = (sealP12: string, sealPassword: string) =>
      createOverheard({ data: ':memory:', sandbox: true, sealP12, sealPassword }).then(
        () => expect.fail('it started'),
        (failure: Error) => failure.message,
      )
    expect(await start(p12('ec-aes256.p12'), 'Canary'))
      .to.contain('the password is wrong')
      .and.not.contain('Canary')
    expect(await start('/nowhere.p12', '')).to.equal('The P12 file /nowhere.p12 cannot be read (ENOENT).')
  })
})
