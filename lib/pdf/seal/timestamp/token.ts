/** Checks the token with which an authority says at what time a signature existed (RFC 3161). Asks no one. */
import { createHash, type X509Certificate } from 'node:crypto'
import * as asn1js from 'asn1js'
import * as pkijs from 'pkijs'
import { carriedBy, certificateOf, DIGESTS, judge, x509Of } from '../check-signer.ts'
import { exact, oid } from '../cms.ts'
import { attributeOf, children, octetsOf } from '../cms-form.ts'
import type { Timestamp } from './timestamp.ts'
import { isVouchedFor } from './trust.ts'

export type CheckedToken =
  | { problem: null; timestamp: Timestamp; nonce: Buffer | null }
  | { problem: 'unreadable' | 'anotherDocument' | 'forged' }

/**
 * @param block the token, a ContentInfo
 * @param signature what it has to be about
 * @param authorities PEM, one or several after another; empty means those that Node.js trusts
 */
export function checkToken(block: asn1js.BaseBlock, signature: Uint8Array, authorities: string): CheckedToken {
  const token = new pkijs.ContentInfo({ schema: block })
  if (token.contentType !== oid.signedData) return { problem: 'unreadable' }
  const signed = new pkijs.SignedData({ schema: token.content })
  const content = octetsOf(signed.encapContentInfo.eContent)
  const parsed = asn1js.fromBER(exact(content))
  if (signed.encapContentInfo.eContentType !== TST_INFO || parsed.offset < 0) return { problem: 'unreadable' }
  const info = new pkijs.TSTInfo({ schema: parsed.result })
  if (!isAbout(info.messageImprint, signature)) return { problem: 'anotherDocument' }
  const [signer, ...others] = signed.signerInfos
  const named = signer && certificateOf(signer, carriedBy(signed))
  if (!signer || !named || others.length > 0) return { problem: 'forged' }
  const certificate = x509Of(named)
  const isSigned =
    judge(signer, certificate, [content]).state === 'valid' &&
    attributeOf(signer, oid.contentType)?.valueBlock.toString() === TST_INFO &&
    namesCertificate(signer, certificate.raw)
  if (!isSigned || !isForTimestamps(named) || !wasValid(certificate, info.genTime)) return { problem: 'forged' }
  const carried = carriedBy(signed).map(x509Of)
  const nonce = info.nonce ? Buffer.from(info.nonce.valueBlock.valueHexView) : null
  const timestamp = {
    at: info.genTime.toISOString(),
    authority: certificate.subject.replace(/\n/g, ', ').replace(/\p{Cc}/gu, ' '),
    isTrusted: isVouchedFor(certificate, carried, authorities, info.genTime),
  }
  return { problem: null, timestamp, nonce }
}

const isAbout = ({ hashAlgorithm, hashedMessage }: pkijs.MessageImprint, signature: Uint8Array): boolean =>
  hashAlgorithm.algorithmId === oid.sha256 &&
  octetsOf(hashedMessage).equals(createHash('sha256').update(signature).digest())

/** Its certificate is for timestamps and nothing else, and says so as something that no one may ignore. RFC 3161, 2.3 */
function isForTimestamps({ extensions = [] }: pkijs.Certificate): boolean {
  const usage = extensions.find(({ extnID }) => extnID === EXTENDED_KEY_USAGE)
  const purposes = (usage?.parsedValue as pkijs.ExtKeyUsage | undefined)?.keyPurposes ?? []
  return usage?.critical === true && purposes.length === 1 && purposes[0] === TIME_STAMPING
}

/** Authorities sign a digest of their certificate as well, so that no other one with the same key can take its place. */
function namesCertificate(signer: pkijs.SignerInfo, der: Buffer): boolean {
  const [attribute, standard] =
    [
      [attributeOf(signer, oid.signingCertificateV2), 'sha256'],
      [attributeOf(signer, SIGNING_CERTIFICATE), 'sha1'],
    ].find(([value]) => value !== undefined) ?? []
  const [first, second] = children(children(children(attribute as asn1js.BaseBlock | undefined)[0])[0])
  const hasAlgorithm = first instanceof asn1js.Sequence
  const algorithm = hasAlgorithm ? DIGESTS[children(first)[0]?.valueBlock.toString() ?? ''] : (standard as string)
  if (!algorithm) return false
  return octetsOf(hasAlgorithm ? second : first).equals(createHash(algorithm).update(der).digest())
}

const wasValid = ({ validFrom, validTo }: X509Certificate, at: Date): boolean =>
  at.getTime() >= Date.parse(validFrom) && at.getTime() <= Date.parse(validTo)

const TST_INFO = '1.2.840.113549.1.9.16.1.4'
const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.12'
const EXTENDED_KEY_USAGE = '2.5.29.37'
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
