/** Is a drawn signature a picture that can be decoded, and safely? */
import { PDFDocument } from 'pdf-lib'

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const MAX_BYTES = 2 * 1024 * 1024
/** The pixels of a large screen: a picture with more comes from no signature pad. */
const MAX_PIXELS = 4096 * 2048

/** Returns a description of the error, or null. */
export async function signatureImageProblem(png: Uint8Array): Promise<string | null> {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength)
  const isPng =
    bytes.length > 24 && bytes.subarray(0, 8).equals(PNG_SIGNATURE) && bytes.toString('latin1', 12, 16) === 'IHDR'
  if (!isPng) return 'the drawn signature is not a PNG image'
  if (bytes.length > MAX_BYTES) return `the drawn signature is larger than ${MAX_BYTES} bytes`
  const pixels = bytes.readUInt32BE(16) * bytes.readUInt32BE(20)
  if (pixels === 0 || pixels > MAX_PIXELS) return `the drawn signature has more than ${MAX_PIXELS} pixels, or none`
  try {
    await (await PDFDocument.create()).embedPng(png)
    return null
  } catch {
    return 'the drawn signature cannot be read: it is not a complete PNG image'
  }
}
