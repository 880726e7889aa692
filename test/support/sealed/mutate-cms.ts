/** Changes of the signature itself, by somebody who has no key, or another one than the service. */
import * as asn1js from 'asn1js'
import * as pkijs from 'pkijs'
import { exact, signDetached } from '../../../lib/pdf/seal/cms.ts'
import { derOf } from '../../../lib/pdf/seal/pem.ts'
import { alteredCms } from './altered-cms.ts'
import type { Mutation } from './mutants-of-sealed.ts'
import { withOtherS } from './other-s.ts'
import { cmsOf, exploited, gapOf, type Sample, withCms, withGapAt } from './sample.ts'

type Change = Parameters<typeof alteredCms>[1]

const altering =
  (change: Change): Mutation =>
  ({ pdf }) =>
    withCms(pdf, alteredCms(cmsOf(pdf), change))

const octets = (bytes: Uint8Array) => new asn1js.OctetString({ valueHex: exact(bytes) })

/** The length of the outermost value in a form that only BER knows: one byte longer, or left open. */
function otherEncoding(cms: Buffer, isOpen: boolean): Buffer {
  const content = cms.subarray(4)
  return isOpen
    ? Buffer.concat([Buffer.from([0x30, 0x80]), content, Buffer.alloc(2)])
    : Buffer.concat([Buffer.from([0x30, 0x83, 0, content.length >> 8, content.length & 255]), content])
}

/** The file sealed anew over the bytes that it has now. */
async function resealed(pdf: Buffer, seal: Sample['seal']): Promise<Buffer> {
  const { gapStart, gapEnd } = gapOf(pdf)
  return withCms(pdf, signDetached([pdf.subarray(0, gapStart), pdf.subarray(gapEnd)], seal))
}

export const cmsMutations: Record<string, Mutation> = {
  'the other ECDSA signature': (sample) =>
    altering((_, info) => {
      const signature = new Uint8Array(info.signature.valueBlock.valueHexView)
      info.signature = octets(signature.length < 100 ? withOtherS(signature) : signature.toReversed())
    })(sample, undefined as never),
  'an attribute that is not signed': altering((_, info) => {
    info.unsignedAttrs = new pkijs.SignedAndUnsignedAttributes({
      type: 1,
      attributes: [new pkijs.Attribute({ type: '1.2.3.4', values: [new asn1js.Null()] })],
    })
  }),
  'a certificate more': (sample) =>
    altering((signed) => {
      signed.certificates?.push(pkijs.Certificate.fromBER(exact(derOf(sample.impostor.certificatePem))))
    })(sample, undefined as never),
  'the certificate of an impostor': (sample) =>
    altering((signed) => {
      signed.certificates = [pkijs.Certificate.fromBER(exact(derOf(sample.impostor.certificatePem)))]
    })(sample, undefined as never),
  'a signer more': altering((signed, info) => void signed.signerInfos.push(info)),
  'a version that is another': altering((signed, info) => {
    signed.version = 3
    info.version = 3
  }),
  'an algorithm more': altering((signed) => void signed.digestAlgorithms.push(signed.digestAlgorithms[0]!)),
  'an algorithm without its parameters': altering((_, info) => {
    info.digestAlgorithm = new pkijs.AlgorithmIdentifier({
      algorithmId: info.digestAlgorithm.algorithmId,
      ...(info.digestAlgorithm.algorithmParams ? {} : { algorithmParams: new asn1js.Null() }),
    })
  }),
  'attributes in another order': altering((_, info) => void info.signedAttrs?.attributes.reverse()),
  'another encoding of the same': ({ pdf }, { below }) => withCms(pdf, otherEncoding(cmsOf(pdf), below(2) === 0)),
  'a bit of what is decoded': ({ pdf }, { below }) => {
    const cms = cmsOf(pdf)
    cms[below(cms.length)]! ^= 1 << below(8)
    return withCms(pdf, cms)
  },
  'something in the padding': ({ pdf }, { below, bytes }) =>
    withCms(pdf, Buffer.concat([cmsOf(pdf), Buffer.alloc(below(1000)), bytes(1 + below(40)), Buffer.from([1])])),
  'digits in capitals': ({ pdf }, { below }) => {
    const { gapStart } = gapOf(pdf)
    const letters = [...cmsOf(pdf).toString('hex').matchAll(/[a-f]/g)]
    const result = Buffer.from(pdf)
    result[gapStart + 1 + letters[below(letters.length)]!.index]! ^= 0x20
    return result
  },
  'white space between the digits': ({ pdf }, { below, pick }) => {
    const { gapStart, gapEnd } = gapOf(pdf)
    const result = Buffer.from(pdf)
    result.write(pick([' ', '\n', '\t', '\0']), gapStart + 1 + below(gapEnd - gapStart - 2))
    return result
  },
  'the signature of another document': async ({ pdf, seal }, { bytes }) =>
    withCms(pdf, signDetached([bytes(1000)], seal)),
  'changed, and sealed anew by an impostor': async ({ pdf, impostor }, { below }) => {
    const result = Buffer.from(pdf)
    result[below(pdf.length / 2)]! ^= 1
    return resealed(result, impostor)
  },
  'sealed anew by an impostor': ({ pdf, impostor }) => resealed(pdf, impostor),
  'moved to another place': ({ pdf }, { below }) => {
    const { gapStart, gapEnd } = gapOf(pdf)
    return withGapAt(pdf, below(pdf.length - (gapEnd - gapStart)), pdf.toString('latin1', gapStart, gapEnd))
  },
  'moved by a few bytes': ({ pdf }, { below }) => {
    const { gapStart, gapEnd } = gapOf(pdf)
    return withGapAt(pdf, gapStart - 40 + below(40), pdf.toString('latin1', gapStart, gapEnd))
  },
  'in a longer or shorter gap': ({ pdf }, { below }) => {
    const { gapStart } = gapOf(pdf)
    const cms = cmsOf(pdf).toString('hex')
    return withGapAt(pdf, gapStart, `<${cms.padEnd(16_384 + 2 * (below(2) ? 1 + below(100) : -1 - below(100)), '0')}>`)
  },
  'moved into a gap that was planted': (sample, { below }) => {
    const { gapStart, gapLength } = sample.plant ?? { gapStart: 1000, gapLength: 4002 }
    return exploited(sample, { gapStart: gapStart + (below(2) ? 0 : below(40) - 20), gapLength })
  },
}
