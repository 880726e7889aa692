/** The one form in which we write signatures (cms.ts): one that is in another form was altered. Checks no digest. */
import { X509Certificate } from 'node:crypto'
import type * as asn1js from 'asn1js'
import * as pkijs from 'pkijs'
import { encodeSigned, oid, sha256 } from './cms.ts'
import { isLowS } from './encoding/low-s.ts'

/**
 * Is every bit that no digest covers as we would have written it: one encoding, nothing added, nothing unsigned but a
 * timestamp, zeros to the end? Who gave the timestamp is checked elsewhere.
 * @param contents the value of /Contents as it is in the file, with its brackets
 */
export function isInCmsForm(signed: pkijs.SignedData, contents: string): boolean {
  const cms = encodeSigned(signed)
  const hex = cms.toString('hex')
  return `<${hex.padEnd(contents.length - 2, '0')}>` === contents && hasOurParts(signed)
}

function hasOurParts(signed: pkijs.SignedData): boolean {
  const [info] = signed.signerInfos
  const [certificate] = signed.certificates ?? []
  const [algorithm] = signed.digestAlgorithms
  if (!info || !algorithm || !(certificate instanceof pkijs.Certificate)) return false
  const { issuer, serialNumber } = certificate
  const der = Buffer.from(certificate.toSchema(false).toBER(false))
  const isEc = new X509Certificate(der).publicKey.asymmetricKeyType === 'ec'
  const hashList = children(children(children(attributeOf(info, oid.signingCertificateV2))[0])[0])
  return (
    signed.version === 1 &&
    info.version === 1 &&
    signed.signerInfos.length === 1 &&
    signed.certificates?.length === 1 &&
    signed.digestAlgorithms.length === 1 &&
    timestampOf(info) !== 'something else' &&
    !signed.crls &&
    !signed.ocsps &&
    info.signedAttrs?.attributes.length === 3 &&
    algorithm.algorithmId === oid.sha256 &&
    encoded(algorithm).equals(encoded(info.digestAlgorithm)) &&
    info.signatureAlgorithm.algorithmId === (isEc ? oid.ecdsaWithSha256 : oid.rsaWithSha256) &&
    (!isEc || isLowS(info.signature.valueBlock.valueHexView)) &&
    // Compared as bytes, because a comparison of names ignores upper and lower case.
    encoded(info.sid as pkijs.IssuerAndSerialNumber).equals(
      encoded(new pkijs.IssuerAndSerialNumber({ issuer, serialNumber })),
    ) &&
    attributeOf(info, oid.contentType)?.valueBlock.toString() === oid.data &&
    octetsOf(hashList[0]).equals(sha256(der))
  )
}

/** The token among what is not signed, which may hold nothing else. */
export function timestampOf(info: pkijs.SignerInfo): asn1js.BaseBlock | null | 'something else' {
  if (!info.unsignedAttrs) return null
  const [first, ...more] = info.unsignedAttrs.attributes
  const [token, ...further] = first?.values ?? []
  const isToken = first?.type === oid.timestampToken && more.length + further.length === 0
  return isToken && token ? token : 'something else'
}

/** The first value of a signed attribute. */
export const attributeOf = (info: pkijs.SignerInfo, type: string): asn1js.BaseBlock | undefined =>
  info.signedAttrs?.attributes.find((attribute) => attribute.type === type)?.values[0]

/** The content bytes of a primitive block; empty when there are none. */
export const octetsOf = (block: asn1js.BaseBlock | undefined): Buffer =>
  Buffer.from((block?.valueBlock as { valueHexView?: Uint8Array } | undefined)?.valueHexView ?? [])

/** The blocks inside of a block. */
export const children = (block: asn1js.BaseBlock | undefined): asn1js.BaseBlock[] =>
  (block?.valueBlock as { value?: asn1js.BaseBlock[] } | undefined)?.value ?? []

const encoded = (value: { toSchema(): asn1js.BaseBlock }) => Buffer.from(value.toSchema().toBER(false))
