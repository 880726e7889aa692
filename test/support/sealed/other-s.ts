/** The second of the two ECDSA signatures that a key confirms, which anybody can make from the first. */
import * as asn1js from 'asn1js'

const ORDER = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551')

/** (r, n − s) for (r, s), in DER. */
export function withOtherS(signature: Uint8Array): Buffer {
  const sequence = asn1js.fromBER(new Uint8Array(signature)).result as asn1js.Sequence
  const [r, s] = sequence.valueBlock.value as [asn1js.Integer, asn1js.Integer]
  return Buffer.from(new asn1js.Sequence({ value: [r, asn1js.Integer.fromBigInt(ORDER - s.toBigInt())] }).toBER(false))
}

/** The signature at the end of a CMS with one signer. */
export function ecdsaSignatureIn(cms: Buffer): Buffer {
  for (let length = 66; length <= 72; length++) {
    const at = cms.length - length
    if (cms[at] === 0x30 && cms[at + 1] === length - 2 && cms[at - 2] === 0x04 && cms[at - 1] === length) {
      return cms.subarray(at)
    }
  }
  throw new Error('The CMS does not end in an ECDSA signature')
}
