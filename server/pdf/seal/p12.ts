/** Reads the key and certificate of a P12 (PFX) file. Keeps nothing; errors never quote the password or the key. */
import { createDecipheriv, createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import type * as asn1js from 'asn1js'
import * as pkijs from 'pkijs'
import { exact } from '../../../lib/pdf/seal/cms.ts'
import { pem } from '../../../lib/pdf/seal/pem.ts'
import { checkSealKey, type SealKey } from '../../../lib/pdf/seal/seal-key.ts'
import './crypto-engine.ts'

const OID = {
  encryptedData: '1.2.840.113549.1.7.6',
  pbes2: '1.2.840.113549.1.5.13',
  sha1TripleDes: '1.2.840.113549.1.12.1.3',
} as const

/**
 * The private key of the file and the certificate that belongs to it. Throws when the password is wrong, the file is damaged or
 * its encryption is outdated, with a message that says what to do.
 */
export async function readP12(bytes: Uint8Array, password: string): Promise<SealKey> {
  const file = await openFile(bytes, password)
  const keys: KeyObject[] = []
  const certificates: Buffer[] = []
  for (const part of file.parsedValue?.authenticatedSafe?.safeContents ?? []) {
    const contents = pkijs.SafeContents.fromBER(exact(await contentOf(part, password)))
    for (const { bagValue } of contents.safeBags) {
      if (bagValue instanceof pkijs.PKCS8ShroudedKeyBag) keys.push(shroudedKey(bagValue, password))
      else if (bagValue instanceof pkijs.PrivateKeyInfo) keys.push(plainKey(bagValue))
      else if (bagValue instanceof pkijs.CertBag && bagValue.parsedValue instanceof pkijs.Certificate) {
        certificates.push(Buffer.from(bagValue.parsedValue.toSchema(false).toBER(false)))
      }
    }
  }
  const [key] = keys
  if (!key) throw new Error('The P12 file holds no private key')
  const certificate = certificates.find((der) => new X509Certificate(der).checkPrivateKey(key))
  if (!certificate) throw new Error('The P12 file holds no certificate that belongs to its private key')
  const seal = {
    certificatePem: pem('CERTIFICATE', certificate),
    privateKeyPem: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
  checkSealKey(seal)
  return seal
}

async function openFile(bytes: Uint8Array, password: string): Promise<pkijs.PFX> {
  let file: pkijs.PFX
  try {
    file = pkijs.PFX.fromBER(exact(bytes))
  } catch {
    throw new Error('The file is not a P12 file, or it is damaged')
  }
  try {
    await file.parseInternalValues({ checkIntegrity: true, password: exact(Buffer.from(password, 'utf8')) })
  } catch {
    throw new Error('The P12 file cannot be opened: the password is wrong, or the file is damaged')
  }
  return file
}

async function contentOf({ contentType, content }: pkijs.ContentInfo, password: string): Promise<Uint8Array> {
  if (contentType !== OID.encryptedData) return (content as asn1js.OctetString).valueBlock.valueHexView
  const encrypted = new pkijs.EncryptedData({ schema: content })
  const { contentEncryptionAlgorithm } = encrypted.encryptedContentInfo
  switch (contentEncryptionAlgorithm.algorithmId) {
    case OID.pbes2:
      return new Uint8Array(await encrypted.decrypt({ password: exact(Buffer.from(password, 'utf8')) }))
    case OID.sha1TripleDes: {
      const data = new Uint8Array(encrypted.encryptedContentInfo.getEncryptedContent())
      return decryptTripleDes(data, contentEncryptionAlgorithm.algorithmParams as asn1js.Sequence, password)
    }
    default:
      throw new Error('The P12 file is encrypted with an outdated method; export it again with AES-256')
  }
}

function shroudedKey(bag: pkijs.PKCS8ShroudedKeyBag, passphrase: string): KeyObject {
  try {
    const key = Buffer.from(bag.toSchema().toBER(false))
    return createPrivateKey({ key, format: 'der', type: 'pkcs8', passphrase })
  } catch {
    throw new Error('The private key of the P12 file cannot be decrypted; export it again with AES-256')
  }
}

const plainKey = (info: pkijs.PrivateKeyInfo): KeyObject =>
  createPrivateKey({ key: Buffer.from(info.toSchema().toBER(false)), format: 'der', type: 'pkcs8' })

/** Windows still writes such files. Key and vector are derived as in RFC 7292, appendix B. */
function decryptTripleDes(data: Uint8Array, parameters: asn1js.Sequence, password: string): Uint8Array {
  const [salt, count] = parameters.valueBlock.value as [asn1js.OctetString, asn1js.Integer]
  const derive = (purpose: number, length: number) =>
    deriveRfc7292(purpose, password, salt.valueBlock.valueHexView, count.valueBlock.valueDec, length)
  const decipher = createDecipheriv('des-ede3-cbc', derive(1, 24), derive(2, 8))
  return Buffer.concat([decipher.update(data), decipher.final()])
}

const BLOCK = 64

function deriveRfc7292(purpose: number, password: string, salt: Uint8Array, count: number, length: number): Buffer {
  const terminated = Buffer.from(`${password}\0`, 'utf16le').swap16()
  const repeated = (bytes: Uint8Array) =>
    Buffer.alloc(Math.ceil(bytes.length / BLOCK) * BLOCK).map((_, i) => bytes[i % bytes.length]!)
  const input = Buffer.concat([repeated(salt), repeated(terminated)])
  const result: Buffer[] = []
  for (let made = 0; made < length; made += 20) {
    let block = createHash('sha1').update(Buffer.alloc(BLOCK, purpose)).update(input).digest()
    for (let i = 1; i < count; i++) block = createHash('sha1').update(block).digest()
    result.push(block)
    // Adds to each block of the input the digest, repeated to the size of a block, and one.
    for (let start = 0; start < input.length; start += BLOCK) {
      let carry = 1
      for (let i = BLOCK - 1; i >= 0; i--) {
        carry += input[start + i]! + block[i % block.length]!
        input[start + i] = carry & 0xff
        carry >>= 8
      }
    }
  }
  return Buffer.concat(result).subarray(0, length)
}
