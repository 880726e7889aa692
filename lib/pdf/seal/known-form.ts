/**
 * Recognizes seals without decoding them. A seal that was decoded and found to be in our form, bit by bit, says what the next one
 * with the same certificate has to be: the same bytes, but for the digest and the signature, which are checked here.
 */
import { createHash, createVerify, type X509Certificate } from 'node:crypto'
import type * as pkijs from 'pkijs'
import { oid } from './cms.ts'
import { attributeOf, octetsOf } from './cms-form.ts'
import { TAG } from './encoding/der.ts'
import { isLowS } from './encoding/low-s.ts'

interface KnownForm {
  certificate: Buffer
  /** A signature in DER, which ends with what the key gave. */
  cms: Buffer
  attributes: { start: number; end: number }
  digestStart: number
  signatureStart: number
}

/** The last to be decoded: signatures by a P-256 key have a few lengths, and a service has few certificates. */
const known: KnownForm[] = []
const MOST = 16

/** @param signed a valid seal with this certificate, in the form of cms-form.ts, and without a timestamp */
export function rememberForm(contents: string, signed: pkijs.SignedData, certificate: X509Certificate): void {
  const [info] = signed.signerInfos
  if (!info?.signedAttrs) return
  const [signature, digest] = [octetsOf(info.signature), octetsOf(attributeOf(info, oid.messageDigest))]
  const padded = bytesIn(contents)
  const signatureStart = padded.lastIndexOf(signature)
  const cms = padded.subarray(0, signatureStart + signature.length)
  // The decoder gives them the tag under which they are signed.
  const { encodedValue } = info.signedAttrs
  const start = cms.indexOf(Buffer.from(encodedValue, 1)) - 1
  const attributes = { start, end: start + encodedValue.byteLength }
  known.unshift({
    certificate: certificate.raw,
    cms,
    attributes,
    digestStart: cms.indexOf(digest, start),
    signatureStart,
  })
  known.splice(MOST)
}

/**
 * Returns the certificate of a valid seal in a form that is known; null for anything else, valid or not.
 * @param contents the value of /Contents as it is in the file, with its brackets
 * @param content what is to be signed, in pieces
 * @param expected the certificates that it may have
 */
export function recognizedSeal(
  contents: string,
  content: readonly Buffer[],
  expected: readonly X509Certificate[],
): X509Certificate | null {
  const bytes = bytesIn(contents)
  for (const { certificate, cms, attributes, digestStart, signatureStart } of known) {
    const maker = expected.find(({ raw }) => raw.equals(certificate))
    // Other bytes between the brackets are not ours: white space, for one, ends what can be decoded.
    if (!maker || bytes.length < cms.length || !startsAlike(bytes, cms, digestStart)) continue
    const ours = Buffer.from(cms)
    digestOf(content).copy(ours, digestStart)
    bytes.copy(ours, signatureStart, signatureStart, ours.length)
    if (contents !== `<${ours.toString('hex').padEnd(contents.length - 2, '0')}>`) continue
    const signature = ours.subarray(signatureStart)
    const signed = Buffer.concat([Buffer.from([TAG.set]), ours.subarray(attributes.start + 1, attributes.end)])
    const { publicKey } = maker
    const isOneForm = publicKey.asymmetricKeyType !== 'ec' || isLowS(signature)
    return isOneForm && createVerify('sha256').update(signed).verify(publicKey, signature) ? maker : null
  }
  return null
}

const bytesIn = (contents: string) => Buffer.from(contents.slice(1, -1), 'hex')

const startsAlike = (a: Buffer, b: Buffer, length: number) => a.subarray(0, length).equals(b.subarray(0, length))

const digestOf = (content: readonly Buffer[]) =>
  content.reduce((sum, part) => sum.update(part), createHash('sha256')).digest()
