/**
 * The one form of the object that holds our seal, byte for byte. It must never change, because sealed documents have it.
 *
 * Why the form is checked: a digest covers the bytes around the gap, but not where the gap is, so anyone who can move a
 * signature into another gap changes the document and keeps the digest. Our gap can be in one place only: after it the seal's
 * object has a fixed length, it ends where the cross-reference (a table, or a stream) begins, and the last lines of the file, which
 * are signed, say where that is. Since the signature itself has one encoding too (cms-form.ts), a file that verifies has the bytes that were
 * sealed. Only a timestamp is covered by no digest of ours: it is what its authority signed, or the seal counts as altered, and it
 * can be taken away, or replaced by a later one, without anything of the document being another.
 */

export const SEAL_NAME = 'Countersign'
export const SEAL_REASON = 'Signed by the named signer; sealed against changes'
/** Room for the signature with its certificate, in bytes. Ours take 0.8 kB; those of an authority can be much larger. */
export const SIGNATURE_BYTES = 8192
/** The same with the timestamp of an authority and its certificates, of which most take 3 to 8 kB. */
export const STAMPED_BYTES = 24_576
/** Represents an offset until the real one is known, and is as wide as that can become. */
export const WIDEST_OFFSET = 9_999_999_999
const RANGE_WIDTH = `[ 0 ${WIDEST_OFFSET} ${WIDEST_OFFSET} ${WIDEST_OFFSET} ]`.length

/** Only in the first signature of a document: it also certifies that nothing may change. */
const CERTIFYING =
  '\n/Reference [ <<\n/Type /SigRef\n/TransformMethod /DocMDP\n/TransformParams <<\n/Type /TransformParams\n/P 1\n/V /1.2\n>>\n>> ]'

export interface SealPlace {
  /** Null when the signature dictionary is no object of its own, which ours always is. */
  objectNumber: number | null
  /** Where `<` is. */
  gapStart: number
  /** After `>`. */
  gapEnd: number
  /** The end in the sealed file. */
  end: number
}

/** Is this the object as we write it, right before the cross-reference with which the sealed file ends? */
export function isInSealForm(pdf: Buffer, place: SealPlace): boolean {
  const { gapStart, gapEnd, end } = place
  const head = `\n${place.objectNumber} 0 obj${BEGINNING}${byteRange(place)}\n/Contents `
  const [tail] = ENDING.exec(pdf.toString('latin1', gapEnd, gapEnd + LONGEST_ENDING)) ?? ['']
  const last = `\nstartxref\n${gapEnd + tail.length}\n%%EOF`
  return (
    tail !== '' &&
    [SIGNATURE_BYTES, STAMPED_BYTES].includes((gapEnd - gapStart - 2) / 2) &&
    pdf.toString('latin1', Math.max(0, gapStart - head.length), gapStart) === head &&
    pdf.toString('latin1', Math.max(0, end - last.length), end) === last
  )
}

/** The value of /ByteRange, padded to the width of its placeholder. */
export function byteRange({ gapStart, gapEnd, end }: Omit<SealPlace, 'objectNumber'>): string {
  const range = `[0 ${gapStart} ${gapEnd} ${end - gapEnd}]`
  if (range.length > RANGE_WIDTH) throw new Error('The byte range needs more room than its placeholder has')
  return range.padEnd(RANGE_WIDTH)
}

const BEGINNING = '\n<<\n/Type /Sig\n/Filter /Adobe.PPKLite\n/SubFilter /ETSI.CAdES.detached\n/ByteRange '

const written = (text: string) => `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()}>`
const escaped = (text: string) => text.replace(/[[\]().]/g, '\\$&')
const ENDING = new RegExp(
  `^\\n/M \\(D:\\d{14}Z\\)\\n/Name ${written(SEAL_NAME)}\\n/Reason ${written(SEAL_REASON)}` +
    `(?:${escaped(CERTIFYING)})?\\n>>\\nendobj\\n\\n(?=xref\\n|\\d{1,7} 0 obj\\n<<\\n/Type /XRef\\n)`,
)
const LONGEST_ENDING = 1024
