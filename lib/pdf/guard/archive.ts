/**
 * Is a file a ZIP archive, too? Programs look for the end of an archive from the end of a file, and believe it wherever it is:
 * such a document would be one thing to its signer and another one to a program that unpacks it.
 */

/** Whether the end of an archive is anywhere, with the directory that belongs to it. */
export function holdsArchive(file: Buffer): boolean {
  for (let at = file.indexOf(END); at >= 0 && at + END_BYTES <= file.length; at = file.indexOf(END, at + 1)) {
    const isEmpty = file.subarray(at + END.length, at + END_BYTES).every((byte) => byte === 0)
    const [size, offset] = [file.readUInt32LE(at + 12), file.readUInt32LE(at + 16)]
    const isLarge = at >= LOCATOR_BYTES && startsAt(file, at - LOCATOR_BYTES, LOCATOR)
    if (isEmpty || isLarge || startsAt(file, at - size, DIRECTORY) || startsAt(file, offset, DIRECTORY)) return true
  }
  return false
}

const startsAt = (file: Buffer, at: number, mark: Buffer): boolean =>
  at >= 0 && file.subarray(at, at + mark.length).equals(mark)

const END = Buffer.from('PK\x05\x06', 'latin1')
const DIRECTORY = Buffer.from('PK\x01\x02', 'latin1')
const LOCATOR = Buffer.from('PK\x06\x07', 'latin1')
const END_BYTES = 22
const LOCATOR_BYTES = 20
