/** An order that its users need a password for, and its owner none, in the older encryptions (RC4). ISO 32000-1, 7.6.3. */
import { createHash } from 'node:crypto'
import { order, text, writtenPdf } from './written-pdf.ts'

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
const ID = Buffer.from('0123456789abcdef')
const PERMISSIONS = -4

/** @param revision 2 or 3 */
export function ownedWithoutPassword(revision: 2 | 3, userPassword: string): Buffer {
  const bytes = revision === 2 ? 5 : 16
  const hardened = (digest: Buffer) => {
    let key = digest
    if (revision === 3) for (let i = 0; i < 50; i++) key = md5(key.subarray(0, bytes))
    return key.subarray(0, bytes)
  }
  const inRounds = (key: Buffer, data: Buffer) => {
    let result = rc4(key, data)
    if (revision === 3) for (let i = 1; i < 20; i++) result = rc4(Buffer.from(key.map((byte) => byte ^ i)), result)
    return result
  }
  const padded = Buffer.concat([Buffer.from(userPassword, 'latin1'), PADDING]).subarray(0, 32)
  const owner = inRounds(hardened(md5(PADDING)), padded)
  const permissions = Buffer.alloc(4)
  permissions.writeInt32LE(PERMISSIONS)
  const key = hardened(md5(padded, owner, permissions, ID))
  const user = revision === 2 ? rc4(key, PADDING) : Buffer.concat([inRounds(key, md5(PADDING, ID)), Buffer.alloc(16)])
  const objectKey = md5(key, Buffer.from([5, 0, 0, 0, 0])).subarray(0, Math.min(16, bytes + 5))
  const content = rc4(objectKey, Buffer.from(text('Morphine 5 mg'))).toString('latin1')
  const hex = (data: Buffer) => `<${data.toString('hex')}>`
  return writtenPdf(
    {
      ...order(),
      5: `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      6: `<< /Filter /Standard /V ${revision - 1} /R ${revision} /Length ${8 * bytes} /P ${PERMISSIONS} /O ${hex(owner)} /U ${hex(user)} >>`,
    },
    { trailer: `/Root 1 0 R /Encrypt 6 0 R /ID [${hex(ID)} ${hex(ID)}]` },
  ).pdf
}

function md5(...parts: Uint8Array[]): Buffer {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const box = Array.from({ length: 256 }, (_, i) => i)
  let j = 0
  for (let i = 0; i < 256; i++) {
    j = (j + box[i]! + key[i % key.length]!) % 256
    ;[box[i], box[j]] = [box[j]!, box[i]!]
  }
  const result = Buffer.alloc(data.length)
  for (let at = 0, i = 0, k = 0; at < data.length; at++) {
    i = (i + 1) % 256
    k = (k + box[i]!) % 256
    ;[box[i], box[k]] = [box[k]!, box[i]!]
    result[at] = data[at]! ^ box[(box[i]! + box[k]!) % 256]!
  }
  return result
}
