import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { expect } from 'chai'
import { signDetached } from '../../../lib/pdf/seal/cms.ts'
import { isLowS, withLowS } from '../../../lib/pdf/seal/encoding/low-s.ts'
import { aSealKey } from '../../support/pdf/a-completion.ts'
import { ecdsaSignatureIn, withOtherS } from '../../support/sealed/other-s.ts'

describe('an ECDSA signature', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const text = Buffer.from('Morphine 5 mg')
  const made = Array.from({ length: 64 }, () => sign('sha256', text, privateKey))

  it('has one form: of the two that the public key confirms, the one with the smaller s', () => {
    for (const signature of made) {
      const low = withLowS(signature)
      const high = withOtherS(low)
      expect(verify('sha256', text, publicKey, low)).to.equal(true)
      expect(verify('sha256', text, publicKey, high)).to.equal(true)
      expect([isLowS(low), isLowS(high)]).to.deep.equal([true, false])
      expect(withLowS(high).equals(low)).to.equal(true)
    }
  })

  it('is nothing but two numbers of the curve in DER', () => {
    const low = withLowS(made[0]!)
    const longer = Buffer.concat([low, Buffer.from([0])])
    const padded = Buffer.concat([Buffer.from([0x30, low.length - 1, 2, low[3]! + 1, 0]), low.subarray(4)])
    for (const other of [
      longer,
      padded,
      low.subarray(1),
      low.subarray(0, -1),
      Buffer.alloc(0),
      Buffer.from('3000', 'hex'),
    ])
      expect(isLowS(other), other.toString('hex')).to.equal(false)
    expect(() => withLowS(Buffer.alloc(8))).to.throw('not an ECDSA signature')
  })

  it('is made in that form whenever a seal is', async () => {
    const seal = await aSealKey()
    const key = createPublicKey(createPrivateKey(seal.privateKeyPem))
    expect(key.asymmetricKeyType).to.equal('ec')
    for (let i = 0; i < 20; i++) {
      const signature = ecdsaSignatureIn(signDetached([Buffer.from([i])], seal))
      expect(isLowS(signature)).to.equal(true)
    }
  })
})
