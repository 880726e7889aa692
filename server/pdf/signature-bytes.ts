/**
 * Finds the signatures of a PDF in its bytes, without parsing the document: a signature dictionary states which bytes are
 * signed, and only bytes can be checked. Judges nothing.
 */

/** A signature as the file states it. */
export interface SignatureBytes {
  /** First signed run: 0 to `gapStart`; second: `gapEnd` to `end`. */
  gapStart: number
  gapEnd: number
  end: number
  /** Between the two runs, with its brackets. */
  contents: string
  subFilter: string
  /** The time the signer's clock showed, ISO 8601, when there is a readable one. */
  claimedAt: string | null
  /** True when the dictionary bears the name of our seal; then its form is checked strictly. */
  isSeal: boolean
}

/** More than any honest document has; a hostile one may repeat the word a million times. */
const MAX_SIGNATURES = 100
/** A signature with its certificates, time stamp and revocation lists, in bytes of hexadecimal. */
const MAX_CONTENTS = 4 * 1024 * 1024

const BYTE_RANGE = /^\/ByteRange\s*\[\s*(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s*\]/
/** The name our signature dictionaries bear, as written there: UTF-16 in hexadecimal. */
export const SEAL_NAME = 'Countersign'
const WRITTEN_NAME = `/Name <FEFF${Buffer.from(SEAL_NAME, 'utf16le').swap16().toString('hex').toUpperCase()}>`

export interface FoundSignatures {
  /** In the order of their coverage, the widest last. */
  signatures: SignatureBytes[]
  /** How many dictionaries claim a byte range that no signature can have. */
  malformed: number
}

export function findSignatures(pdf: Buffer): FoundSignatures {
  const signatures: SignatureBytes[] = []
  let malformed = 0
  let at = pdf.indexOf('/ByteRange', 0, 'latin1')
  while (at >= 0 && signatures.length + malformed < MAX_SIGNATURES) {
    const signature = signatureAt(pdf, at)
    if (signature) signatures.push(signature)
    else malformed++
    at = pdf.indexOf('/ByteRange', at + 10, 'latin1')
  }
  return { signatures: signatures.sort((a, b) => a.end - b.end), malformed }
}

function signatureAt(pdf: Buffer, at: number): SignatureBytes | null {
  const stated = BYTE_RANGE.exec(pdf.toString('latin1', at, at + 200))
  if (!stated) return null
  const [start, gapStart, gapEnd, length] = stated.slice(1).map(Number) as [number, number, number, number]
  const end = gapEnd + length
  const isPossible = start === 0 && gapStart < gapEnd && end <= pdf.length && gapEnd - gapStart <= MAX_CONTENTS
  if (!isPossible || !isContentsOf(pdf, at, gapStart, gapEnd)) return null
  const dictionary = pdf.toString('latin1', Math.max(0, Math.min(at, gapStart) - 2048), Math.min(at, gapStart))
  const before = dictionary.slice(Math.max(0, dictionary.lastIndexOf(' obj')))
  const between = pdf.toString('latin1', Math.min(at, gapEnd), Math.min(Math.max(at, gapStart), at + 2048))
  const rest = pdf.toString('latin1', Math.max(at, gapEnd), Math.max(at, gapEnd) + 4096)
  const after = rest.slice(0, rest.indexOf('endobj') < 0 ? rest.length : rest.indexOf('endobj'))
  const text = `${before} ${between} ${after}`
  return {
    gapStart,
    gapEnd,
    end,
    contents: pdf.toString('latin1', gapStart, gapEnd),
    subFilter: /\/SubFilter\s*\/([\w.]+)/.exec(text)?.[1] ?? '',
    claimedAt: pdfTime(/\/M\s*\(D:([^)]{4,30})\)/.exec(text)?.[1] ?? ''),
    isSeal: text.includes(WRITTEN_NAME),
  }
}

/** The gap must be the value of /Contents in the same dictionary, or anything could hide in it. */
function isContentsOf(pdf: Buffer, at: number, gapStart: number, gapEnd: number): boolean {
  const isKey = /\/Contents\s*$/.test(pdf.toString('latin1', Math.max(0, gapStart - 32), gapStart))
  const isString = pdf[gapStart] === 0x3c && pdf[gapEnd - 1] === 0x3e
  const [from, to] = at < gapStart ? [at, gapStart] : [gapEnd, at]
  const isSameObject = from <= to && to - from < 65_536 && !pdf.toString('latin1', from, to).includes('endobj')
  return isKey && isString && isSameObject
}

/** `20260115140305+01'00'` as ISO 8601 in UTC. ISO 32000-1, 7.9.4. */
function pdfTime(text: string): string | null {
  const parts = /^(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:(Z)|([+-])(\d{2})'?(\d{2})?'?)?/.exec(text)
  if (!parts) return null
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', , sign, zoneHour, zoneMinute] =
    parts
  const zone = sign ? `${sign}${zoneHour}:${zoneMinute ?? '00'}` : 'Z'
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}
