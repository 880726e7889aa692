import { X509Certificate } from 'node:crypto'
import { expect } from 'chai'
import { recognizedSeal } from '../../../lib/pdf/seal/known-form.ts'
import { verifySealed } from '../../../lib/pdf/seal/verify.ts'
import { createSealCertificate, readP12, type SealKey } from '../../../server/pdf/seal/certificate.ts'
import { fixture } from '../../support/fixtures.ts'
import { aPdf } from '../../support/pdf/a-pdf.ts'
import { cmsOf, gapOf, sealedWith, withCms } from '../../support/sealed/sample.ts'

const expectedOf = ({ certificatePem }: SealKey) => [new X509Certificate(certificatePem)]

function recognized(pdf: Buffer, seal: SealKey): boolean {
  const { gapStart, gapEnd } = gapOf(pdf)
  const contents = pdf.toString('latin1', gapStart, gapEnd)
  return recognizedSeal(contents, [pdf.subarray(0, gapStart), pdf.subarray(gapEnd)], expectedOf(seal)) !== null
}

describe('the known form of a seal', () => {
  let keys: Record<string, SealKey>
  before(async () => {
    keys = {
      EC: await createSealCertificate(new Date('2026-01-01T00:00:00Z')),
      RSA: await readP12(fixture('p12/rsa-3des.p12'), 'sécret'),
    }
  })

  for (const kind of ['EC', 'RSA'])
    it(`says of another document the same as decoding it does: ${kind}`, async () => {
      const seal = keys[kind]!
      const first = await sealedWith(await aPdf({}), seal)
      const decoded = verifySealed(first, seal.certificatePem)
      expect(decoded).to.include({ outcome: 'valid', valid: true })
      // The signature of an EC key may be a byte shorter, and then is decoded.
      const others = await Promise.all(
        Array.from({ length: 4 }, () => sealedWith(fixture('pdf/encrypted-owner.pdf'), seal)),
      )
      expect(others.some((other) => recognized(other, seal))).to.equal(true)
      for (const other of others) {
        const { signatures, ...verdict } = verifySealed(other, seal.certificatePem)
        expect({ ...verdict, signatures }).to.deep.equal(decoded)
      }
    })

  for (const kind of ['EC', 'RSA'])
    it(`is left by a change of any byte, of the document or of the signature: ${kind}`, async () => {
      const seal = keys[kind]!
      const pdf = await sealedWith(await aPdf({}), seal)
      expect(recognized(pdf, seal)).to.equal(true)
      const cms = cmsOf(pdf)
      for (let at = 0; at < cms.length; at++) {
        const changed = Buffer.from(cms)
        changed[at]! ^= 1
        expect(recognized(withCms(pdf, changed), seal), `byte ${at}`).to.equal(false)
      }
      const { gapStart, gapEnd } = gapOf(pdf)
      for (const at of [0, 100, gapStart - 1, gapEnd, pdf.length - 1]) {
        const changed = Buffer.from(pdf)
        changed[at]! ^= 1
        expect(recognized(changed, seal), `byte ${at} of the document`).to.equal(false)
      }
      const upper = Buffer.from(pdf)
      upper.write(pdf.toString('latin1', gapStart, gapEnd).toUpperCase(), gapStart, 'latin1')
      expect(recognized(upper, seal), 'other digits').to.equal(false)
      expect(recognized(withCms(pdf, Buffer.concat([cms, Buffer.from([1])])), seal), 'more').to.equal(false)
    })

  it('is left by anything but digits, wherever it stands', async () => {
    const pdf = await sealedWith(await aPdf({}), keys.EC!)
    expect(recognized(pdf, keys.EC!)).to.equal(true)
    const { gapStart } = gapOf(pdf)
    for (let digit = 0; digit < 2 * cmsOf(pdf).length + 8; digit++) {
      const changed = Buffer.from(pdf)
      changed.write(' ', gapStart + 1 + digit, 'latin1')
      expect(recognized(changed, keys.EC!), `digit ${digit}`).to.equal(false)
      expect(verifySealed(changed, keys.EC!.certificatePem).valid, `digit ${digit}, verified`).to.equal(false)
    }
  })

  it('is that of an expected certificate', async () => {
    const pdf = await sealedWith(await aPdf({}), keys.EC!)
    expect(recognized(pdf, keys.EC!)).to.equal(true)
    expect(recognized(pdf, keys.RSA!)).to.equal(false)
  })
})
