/** Fills the placeholder of a written file with its byte range and signature. No other byte changes. */
import { readCrossReference } from '../../../lib/pdf/file/cross-reference.ts'
import { pdfObjects } from '../../../lib/pdf/file/objects.ts'
import { entryOf, type Span, SyntaxProblem } from '../../../lib/pdf/file/value.ts'
import { signDetached, signedAttributes, signedData } from '../../../lib/pdf/seal/cms.ts'
import { byteRange } from '../../../lib/pdf/seal/seal-form.ts'
import type { SealKey } from '../../../lib/pdf/seal/seal-key.ts'
import { verifySealed } from '../../../lib/pdf/seal/verify.ts'

/**
 * The sealed file; null when it would not verify, so that the seal would be worth nothing.
 * @param placeholder object number of the signature dictionary
 */
export function sealDocument(pdf: Uint8Array, placeholder: number, seal: SealKey): Buffer | null {
  const prepared = withByteRange(pdf, placeholder)
  return prepared && filled(prepared, signDetached(prepared.signed, seal), seal.certificatePem)
}

/** Returns the bytes that a key elsewhere has to sign so that `sealWithSignature` can seal the same document; null when it cannot be. */
export function bytesToSign(pdf: Uint8Array, placeholder: number, certificatePem: string): Buffer | null {
  const prepared = withByteRange(pdf, placeholder)
  return prepared && signedAttributes(prepared.signed, certificatePem)
}

/**
 * The sealed file; null when it would not verify.
 * @param signature of what `bytesToSign` returned
 */
export function sealWithSignature(
  pdf: Uint8Array,
  placeholder: number,
  signature: Uint8Array,
  certificatePem: string,
): Buffer | null {
  const prepared = withByteRange(pdf, placeholder)
  if (!prepared) return null
  const attributes = signedAttributes(prepared.signed, certificatePem)
  return filled(prepared, signedData(attributes, signature, certificatePem), certificatePem)
}

interface Prepared {
  pdf: Buffer
  gapStart: number
  gapEnd: number
  /** All but the gap. */
  signed: readonly [Uint8Array, Uint8Array]
}

/** Returns a copy with its byte range; null when its cross-reference leads to no placeholder. */
function withByteRange(written: Uint8Array, placeholder: number): Prepared | null {
  const pdf = Buffer.from(written)
  const spans = spansOf(pdf, placeholder)
  if (!spans) return null
  const { start: gapStart, end: gapEnd } = spans.contents
  pdf.write(byteRange({ gapStart, gapEnd, end: pdf.length }), spans.range.start, 'latin1')
  return { pdf, gapStart, gapEnd, signed: [pdf.subarray(0, gapStart), pdf.subarray(gapEnd)] }
}

function filled({ pdf, gapStart, gapEnd }: Prepared, signature: Buffer, certificatePem: string): Buffer | null {
  const room = gapEnd - gapStart - 2
  if (signature.length * 2 > room) {
    throw new Error(`The signature needs ${signature.length * 2} hexadecimal digits; its placeholder has ${room}`)
  }
  pdf.write(signature.toString('hex').padEnd(room, '0'), gapStart + 1, 'latin1')
  return verifySealed(pdf, certificatePem).valid ? pdf : null
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
