import { X509Certificate } from 'node:crypto'
import { expect } from 'chai'
import { verifySealed } from '../../../lib/pdf/seal/verify.ts'
import { completeDocument } from '../../../server/pdf/complete.ts'
import { createSealCertificate, readP12 } from '../../../server/pdf/seal/certificate.ts'
import { fixture } from '../../support/fixtures.ts'
import { aCompletion } from '../../support/pdf/a-completion.ts'
import { aPdf } from '../../support/pdf/a-pdf.ts'
import { installed, pdfsigAnswers } from '../../support/seen/external-checks.ts'

const messageOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'nothing was wrong'
  } catch (error) {
    return (error as Error).message
  }
}

describe('the certificate the service makes for itself', () => {
  const now = new Date('2026-01-01T00:00:00Z')

  it('is self-signed, for signing documents, and valid for ten years from then', async () => {
    const { certificatePem, privateKeyPem } = await createSealCertificate(now)
    const certificate = new X509Certificate(certificatePem)
    expect(certificate.subject).to.equal('CN=Countersign document seal')
    expect(certificate.verify(certificate.publicKey)).to.equal(true)
    expect(certificate.ca).to.equal(false)
    expect(new Date(certificate.validFrom).toISOString()).to.equal('2025-12-31T23:00:00.000Z')
    expect(new Date(certificate.validTo).toISOString()).to.equal('2036-01-01T00:00:00.000Z')
    expect(certificate.publicKey.asymmetricKeyDetails?.namedCurve).to.equal('prime256v1')
    expect(certificate.keyUsage).to.deep.equal(['1.3.6.1.5.5.7.3.36'])
    expect(privateKeyPem).to.match(/^-----BEGIN PRIVATE KEY-----\n/)
  })

  it('is a different one each time', async () => {
    const [one, other] = await Promise.all([createSealCertificate(now), createSealCertificate(now)])
    expect(new X509Certificate(one.certificatePem).serialNumber).to.not.equal(
      new X509Certificate(other.certificatePem).serialNumber,
    )
    expect(one.privateKeyPem).to.not.equal(other.privateKeyPem)
  })

  it('survives a store that keeps text', async () => {
    const seal = await createSealCertificate(now)
    expect(JSON.parse(JSON.stringify(seal))).to.deep.equal(seal)
  })
})

describe('a P12 file', () => {
  const usable = [
    ['ec-aes256.p12', 'secret', /CN=Hospital seal/],
    ['ec-chain.p12', 'secret', /CN=Hospital seal/],
    ['rsa-3des.p12', 'sécret', /CN=Hospital RSA seal/],
  ] as const
  for (const [name, password, subject] of usable) {
    it(`${name} seals a document that verifies${installed.pdfsig ? ', for pdfsig too' : ''}`, async () => {
      const seal = await readP12(fixture(`p12/${name}`), password)
      const result = await completeDocument(await aPdf({}), await aCompletion({ seal }))
      if (!result.ok) throw new Error(result.problem)
      const verdict = verifySealed(result.pdf, seal.certificatePem)
      expect(verdict.valid).to.equal(true)
      expect(verdict.signatures[0]!.by).to.match(subject)
      if (installed.pdfsig) expect(pdfsigAnswers(result.pdf)).to.deep.equal([{ isValid: true, isTotal: true }])
    })
  }

  const unusable = [
    ['ec-aes256.p12', 'wrong', 'The P12 file cannot be opened: the password is wrong, or the file is damaged'],
    ['ec-rc2.p12', 'secret', 'The P12 file is encrypted with an outdated method; export it again with AES-256'],
    ['ec-p384.p12', 'secret', 'The seal certificate needs an RSA or an EC P-256 key'],
    ['no-key.p12', 'secret', 'The P12 file holds no private key'],
  ] as const
  for (const [name, password, message] of unusable) {
    it(`${name} with the password ${password} is refused: ${message}`, async () => {
      expect(await messageOf(readP12(fixture(`p12/${name}`), password))).to.equal(message)
    })
  }

  it('is refused when it is something else', async () => {
    expect(await messageOf(readP12(new TextEncoder().encode('no P12'), ''))).to.equal(
      'The file is not a P12 file, or it is damaged',
    )
  })
})
