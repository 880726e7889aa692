/** PDFs signed in the way other products sign: a visible difference to our seal in every part that the format leaves open. */
import { createHash, generateKeyPairSync, webcrypto } from 'node:crypto'
import * as asn1js from 'asn1js'
import { PDFDocument, PDFHexString, PDFName, PDFNumber, PDFString } from 'pdf-lib'
import * as pkijs from 'pkijs'
import '../../../server/pdf/seal/crypto-engine.ts'

/** The file with an approval signature (adbe.pkcs7.detached, RSA, signing time among the signed attributes) appended. */
export async function signedByOthers(pdf: Uint8Array, subFilter = 'adbe.pkcs7.detached'): Promise<Uint8Array> {
  const doc = await PDFDocument.load(pdf, { updateMetadata: false, forIncrementalUpdate: true })
  const { context, catalog } = doc
  const page = doc.getPage(0)
  const signature = context.obj({ Type: 'Sig', Filter: 'Adobe.PPKLite', SubFilter: subFilter })
  signature.set(PDFName.of('Contents'), PDFHexString.of('0'.repeat(8000)))
  signature.set(PDFName.of('ByteRange'), context.obj([0, 9999999999, 9999999999, 9999999999]))
  signature.set(PDFName.of('M'), PDFString.of("D:20251224180000+01'00'"))
  const widget = context.register(
    context.obj({ Type: 'Annot', Subtype: 'Widget', FT: 'Sig', Rect: [0, 0, 0, 0], F: 132 }),
  )
  const dict = context.lookup(widget)
  if (!dict || !('set' in dict)) throw new Error('the widget is no dictionary')
  const entries = dict as { set(key: PDFName, value: unknown): void }
  entries.set(PDFName.of('T'), PDFString.of('Approval'))
  entries.set(PDFName.of('V'), context.register(signature))
  entries.set(PDFName.of('P'), page.ref)
  page.node.addAnnot(widget)
  const form = context.obj({ Fields: [widget] })
  form.set(PDFName.of('SigFlags'), PDFNumber.of(3))
  catalog.set(PDFName.of('AcroForm'), context.register(form))
  const written = Buffer.from(await doc.commit({ useObjectStreams: false }))
  const contents = written.lastIndexOf('/Contents <0000')
  const [from, to] = [written.indexOf('<', contents), written.indexOf('>', contents) + 1]
  const range = written.lastIndexOf('/ByteRange')
  const rangeEnd = written.indexOf(']', range) + 1
  written.write(`/ByteRange [0 ${from} ${to} ${written.length - to}]`.padEnd(rangeEnd - range), range, 'latin1')
  const cms = await approve(Buffer.concat([written.subarray(0, from), written.subarray(to)]))
  written.write(cms.toString('hex').toUpperCase(), from + 1, 'latin1')
  return new Uint8Array(written)
}

async function approve(content: Buffer): Promise<Buffer> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const exported = privateKey.export({ type: 'pkcs8', format: 'der' })
  const key = await webcrypto.subtle.importKey('pkcs8', exported, algorithm, false, ['sign'])
  const shown = publicKey.export({ type: 'spki', format: 'der' })
  const publicCryptoKey = await webcrypto.subtle.importKey('spki', shown, algorithm, true, ['verify'])
  const certificate = new pkijs.Certificate()
  certificate.version = 2
  certificate.serialNumber = new asn1js.Integer({ value: 77 })
  for (const name of [certificate.subject, certificate.issuer]) {
    const value = new asn1js.Utf8String({ value: 'Another Signer' })
    name.typesAndValues.push(new pkijs.AttributeTypeAndValue({ type: '2.5.4.3', value }))
  }
  certificate.notBefore.value = new Date('2025-01-01T00:00:00Z')
  certificate.notAfter.value = new Date('2030-01-01T00:00:00Z')
  await certificate.subjectPublicKeyInfo.importKey(publicCryptoKey as Parameters<typeof certificate.sign>[0])
  await certificate.sign(key as Parameters<typeof certificate.sign>[0], 'SHA-256')
  const digest = createHash('sha256').update(content).digest()
  const attributes = [
    ['1.2.840.113549.1.9.3', new asn1js.ObjectIdentifier({ value: '1.2.840.113549.1.7.1' })],
    ['1.2.840.113549.1.9.5', new asn1js.UTCTime({ valueDate: new Date('2025-12-24T17:00:00Z') })],
    ['1.2.840.113549.1.9.4', new asn1js.OctetString({ valueHex: new Uint8Array(digest).buffer })],
  ] as const
  const { issuer, serialNumber } = certificate
  const signed = new pkijs.SignedData({
    version: 1,
    encapContentInfo: new pkijs.EncapsulatedContentInfo({ eContentType: '1.2.840.113549.1.7.1' }),
    signerInfos: [
      new pkijs.SignerInfo({
        version: 1,
        sid: new pkijs.IssuerAndSerialNumber({ issuer, serialNumber }),
        signedAttrs: new pkijs.SignedAndUnsignedAttributes({
          type: 0,
          attributes: attributes.map(([type, value]) => new pkijs.Attribute({ type, values: [value] })),
        }),
      }),
    ],
    certificates: [certificate],
  })
  await signed.sign(key as Parameters<typeof signed.sign>[0], 0, 'SHA-256', new Uint8Array(content).buffer)
  const info = new pkijs.ContentInfo({ contentType: '1.2.840.113549.1.7.2', content: signed.toSchema(true) })
  return Buffer.from(info.toSchema().toBER(false))
}
