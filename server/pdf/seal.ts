/** Fills the placeholder of a written file with its byte range and signature. Moves no byte of the rest. */
import { signDetached } from './cms.ts'
import type { SealKey } from './seal-key.ts'

/** @param pdf with the placeholder of placeholder.ts as the last signature dictionary in the file. */
export async function sealDocument(pdf: Uint8Array, seal: SealKey): Promise<Uint8Array> {
  const sealed = Buffer.from(pdf)
  const range = sealed.lastIndexOf('/ByteRange', undefined, 'latin1')
  const rangeEnd = sealed.indexOf(']', range, 'latin1') + 1
  const from = sealed.indexOf('<', sealed.indexOf('/Contents', range, 'latin1'), 'latin1')
  const to = sealed.indexOf('>', from, 'latin1') + 1
  if (range < 0 || rangeEnd === 0 || from < 0 || to === 0) throw new Error('The file has no signature placeholder')
  const offsets = `/ByteRange [${[0, from, to, sealed.length - to].join(' ')}]`
  if (offsets.length > rangeEnd - range) throw new Error('The byte range needs more room than its placeholder has')
  sealed.write(offsets.padEnd(rangeEnd - range), range, 'latin1')
  const signature = await signDetached(Buffer.concat([sealed.subarray(0, from), sealed.subarray(to)]), seal)
  const room = to - from - 2
  if (signature.length * 2 > room) {
    throw new Error(`The signature needs ${signature.length * 2} hexadecimal digits; its placeholder has ${room}`)
  }
  sealed.write(signature.toString('hex').padEnd(room, '0'), from + 1, 'latin1')
  return sealed
}
