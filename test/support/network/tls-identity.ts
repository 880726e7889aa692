/** Certificates for TLS on this machine: an authority of the test's own, and a server at 127.0.0.1 that it vouches for. */
import { webcrypto } from 'node:crypto'
import * as asn1js from 'asn1js'
import * as pkijs from 'pkijs'
import '../../../server/pdf/seal/crypto-engine.ts'
import { pem } from '../../../lib/pdf/seal/pem.ts'

/** As `node:https` takes it. */
export interface TlsIdentity {
  key: string
  cert: string
}

const BASIC_CONSTRAINTS = '2.5.29.19'
const SUBJECT_ALTERNATIVE_NAME = '2.5.29.17'
const DNS_NAME = 2
const IP_ADDRESS = 7
/** The server has this name, too; no name server knows it. */
export const SERVER_NAME = 'server.countersign.test'
const DAY_MS = 86_400_000

/**
 * The server's certificate and key, and the authority's certificate, all PEM; beside them a certificate that has expired, and one
 * that the server has signed itself.
 */
export async function tlsIdentity(): Promise<{
  authority: string
  server: TlsIdentity
  expired: TlsIdentity
  selfSigned: TlsIdentity
}> {
  const [ours, theirs] = [await newKeys(), await newKeys()]
  const authority = await certificate('Test authority', 'Test authority', theirs.publicKey, theirs.privateKey, [
    extension(BASIC_CONSTRAINTS, true, new pkijs.BasicConstraints({ cA: true }).toSchema()),
  ])
  const loopback = new asn1js.OctetString({ valueHex: new Uint8Array([127, 0, 0, 1]).buffer })
  const names = new pkijs.GeneralNames({
    names: [
      new pkijs.GeneralName({ type: IP_ADDRESS, value: loopback }),
      new pkijs.GeneralName({ type: DNS_NAME, value: SERVER_NAME }),
    ],
  })
  const here = [extension(SUBJECT_ALTERNATIVE_NAME, false, names.toSchema())]
  const signedBy = (issuer: string, issuerKey: webcrypto.CryptoKey, lifeDays?: number) =>
    certificate('Test server', issuer, ours.publicKey, issuerKey, here, lifeDays)
  const key = pem('PRIVATE KEY', await webcrypto.subtle.exportKey('pkcs8', ours.privateKey))
  return {
    authority,
    server: { key, cert: await signedBy('Test authority', theirs.privateKey) },
    expired: { key, cert: await signedBy('Test authority', theirs.privateKey, -1) },
    selfSigned: { key, cert: await signedBy('Test server', ours.privateKey) },
  }
}

const newKeys = () => webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])

const extension = (extnID: string, critical: boolean, value: asn1js.BaseBlock) =>
  new pkijs.Extension({ extnID, critical, extnValue: value.toBER(false) })

async function certificate(
  subject: string,
  issuer: string,
  publicKey: webcrypto.CryptoKey,
  issuerKey: webcrypto.CryptoKey,
  extensions: pkijs.Extension[],
  lifeDays = 1,
): Promise<string> {
  const made = new pkijs.Certificate()
  made.version = 2
  made.serialNumber = new asn1js.Integer({ value: subject.length })
  for (const [name, text] of [[made.subject, subject] as const, [made.issuer, issuer] as const])
    name.typesAndValues.push(
      new pkijs.AttributeTypeAndValue({ type: '2.5.4.3', value: new asn1js.Utf8String({ value: text }) }),
    )
  made.notBefore.value = new Date(Date.now() - 2 * DAY_MS)
  made.notAfter.value = new Date(Date.now() + lifeDays * DAY_MS)
  made.extensions = extensions
  await made.subjectPublicKeyInfo.importKey(publicKey)
  await made.sign(issuerKey, 'SHA-256')
  return pem('CERTIFICATE', made.toSchema().toBER(false))
}
