/** Fills the placeholder of a written file with its byte range and signature. No other byte changes. */
import { readCrossReference } from '../../../lib/pdf/file/cross-reference.ts'
import { pdfObjects } from '../../../lib/pdf/file/objects.ts'
import { entryOf, type Span, SyntaxProblem } from '../../../lib/pdf/file/value.ts'
import { signDetached } from '../../../lib/pdf/seal/cms.ts'
import { byteRange } from '../../../lib/pdf/seal/seal-form.ts'
import type { SealKey } from '../../../lib/pdf/seal/seal-key.ts'
import { verifySealed } from '../../../lib/pdf/seal/verify.ts'

/**
 * The sealed file; null when it would not verify, so that the seal would be worth nothing.
 * @param placeholder object number of the signature dictionary
 */
export function sealDocument(pdf: Uint8Array, placeholder: number, seal: SealKey): Buffer | null {
  const sealed = Buffer.from(pdf)
  const spans = spansOf(sealed, placeholder)
  if (!spans) return null
  const { start: gapStart, end: gapEnd } = spans.contents
  sealed.write(byteRange({ gapStart, gapEnd, end: sealed.length }), spans.range.start, 'latin1')
  const signature = signDetached([sealed.subarray(0, gapStart), sealed.subarray(gapEnd)], seal)
  const room = gapEnd - gapStart - 2
  if (signature.length * 2 > room) {
    throw new Error(`The signature needs ${signature.length * 2} hexadecimal digits; its placeholder has ${room}`)
  }
  sealed.write(signature.toString('hex').padEnd(room, '0'), gapStart + 1, 'latin1')
  return verifySealed(sealed, seal.certificatePem).valid ? sealed : null
}

/** The places to fill in the object of placeholder.ts, where the cross-reference of the file says that it is. */
function spansOf(pdf: Buffer, placeholder: number): { range: Span; contents: Span } | null {
  const read = readCrossReference(pdf)
  if (!read.ok) return null
  try {
    const object = pdfObjects(pdf, read.crossReference).objectAt(placeholder)
    const [range, contents] = [entryOf(object?.value, 'ByteRange'), entryOf(object?.value, 'Contents')]
    return object?.bytes === pdf && range && contents ? { range, contents } : null
  } catch (error) {
    if (error instanceof SyntaxProblem) return null
    throw error
  }
}
