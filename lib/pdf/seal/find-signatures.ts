/**
 * Finds the signatures of a PDF where its form has them: the cross-reference leads to the catalog, its form, its fields and
 * their values. Anything else in the file that looks like a signature is none. Checks no signature.
 */
import { readCrossReference } from '../file/cross-reference.ts'
import { type PdfObjects, pdfObjects } from '../file/objects.ts'
import { countOf, type Dictionary, entryOf, nameOf, SyntaxProblem, type Value } from '../file/value.ts'
import { type NamedSigner, namedSigner } from './seal-names.ts'

/** A signature as the file states it: the bytes from 0 to `gapStart` and from `gapEnd` to `end` are signed. */
export interface SignatureBytes {
  /** The object of the signature dictionary; null when it is in the field itself. */
  objectNumber: number | null
  /** The gap is exactly the value of /Contents, with its brackets. */
  gapStart: number
  gapEnd: number
  end: number
  subFilter: string
  /** When it was signed by the signer's clock, ISO 8601; null when the file states no readable time. */
  claimedAt: string | null
  /** Null as well when several fields have this signature, so that no one adds a name to it. */
  signer: NamedSigner | null
}

export type FoundSignatures =
  | {
      ok: true
      /** In the order of their coverage, the widest last. */
      signatures: SignatureBytes[]
      /** How many signature fields have a value that is no signature. */
      malformed: number
    }
  | { ok: false; problem: string }

/** The largest forms have a few thousand fields. */
const MAX_FIELDS = 10_000
/** Hexadecimal digits that a signature may have, with its certificates, time stamp and revocation lists. */
const MAX_CONTENTS = 1024 * 1024

/** Not `ok` when the structure of the file leaves readers a choice; `problem` completes "The document has …". */
export function findSignatures(pdf: Buffer): FoundSignatures {
  const read = readCrossReference(pdf)
  if (!read.ok) return read
  try {
    const values = signatureValues(pdfObjects(pdf, read.crossReference), read.crossReference.trailer)
    const found = values.map((value) => signatureOf(value, pdf))
    const signatures = found.filter((signature) => signature !== null)
    signatures.sort((a, b) => a.end - b.end || a.gapEnd - b.gapEnd)
    return { ok: true, signatures, malformed: found.length - signatures.length }
  } catch (error) {
    if (error instanceof SyntaxProblem) return { ok: false, problem: error.message }
    throw error
  }
}

interface SignatureValue {
  dictionary: Dictionary
  objectNumber: number | null
  /** The bytes that its places refer to: those of the file, or of an unpacked object stream. */
  bytes: Buffer
  signer: NamedSigner | null
}

/** The values of all signature fields, each once; a hostile tree may lead into itself, and fields may share a value. */
function signatureValues({ objectAt, resolve }: PdfObjects, trailer: Dictionary): SignatureValue[] {
  const form = resolve(entryOf(resolve(entryOf(trailer, 'Root')), 'AcroForm'))
  const waiting = [{ items: resolve(entryOf(form, 'Fields')), type: null as string | null }]
  const seen = new Set<Value>()
  const found = new Map<Value, SignatureValue>()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const item of next.items?.kind === 'array' ? next.items.items : []) {
      const field = resolve(item)
      if (field?.kind !== 'dictionary' || seen.has(field)) continue
      if (seen.size >= MAX_FIELDS) throw new SyntaxProblem('more form fields than are read')
      seen.add(field)
      const type = nameOf(resolve(entryOf(field, 'FT'))) ?? next.type
      waiting.push({ items: resolve(entryOf(field, 'Kids')), type })
      const stated = entryOf(field, 'V')
      const value = resolve(stated)
      if (type !== 'Sig' || value?.kind !== 'dictionary') continue
      const known = found.get(value)
      if (known) {
        known.signer = null
        continue
      }
      const holder = stated?.kind === 'reference' ? stated : item
      const object = holder.kind === 'reference' ? objectAt(holder.number) : null
      const objectNumber = object?.value === value ? object.number : null
      const own = item.kind === 'reference' ? objectAt(item.number) : null
      const signer = own ? namedSigner(field, own.bytes) : null
      if (object) found.set(value, { dictionary: value, objectNumber, bytes: object.bytes, signer })
    }
  }
  return [...found.values()]
}

/** Null when the gap is not exactly the value of /Contents, or something before the end is neither signed nor in the gap. */
function signatureOf({ dictionary, objectNumber, bytes, signer }: SignatureValue, pdf: Buffer): SignatureBytes | null {
  const contents = entryOf(dictionary, 'Contents')
  const range = entryOf(dictionary, 'ByteRange')
  if (bytes !== pdf || contents?.kind !== 'text' || !contents.isHex || range?.kind !== 'array') return null
  const [start, gapStart, gapEnd, length, ...more] = range.items.map(countOf)
  const isGap = start === 0 && gapStart === contents.start && gapEnd === contents.end && more.length === 0
  const end = contents.end + (length ?? Number.NaN)
  if (!isGap || !(end <= pdf.length) || contents.end - contents.start > MAX_CONTENTS) return null
  const time = entryOf(dictionary, 'M')
  return {
    objectNumber,
    gapStart,
    gapEnd,
    end,
    signer,
    subFilter: nameOf(entryOf(dictionary, 'SubFilter')) ?? '',
    claimedAt:
      time?.kind === 'text' ? pdfTime(pdf.toString('latin1', time.start, Math.min(time.end, time.start + 40))) : null,
  }
}

/** `(D:20260115140305+01'00')` as ISO 8601 in UTC. ISO 32000-1, 7.9.4. */
function pdfTime(text: string): string | null {
  const parts = /^\(D:(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:(Z)|([+-])(\d{2})'?(\d{2})?'?)?/.exec(text)
  if (!parts) return null
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', , sign, zoneHour, zoneMinute] =
    parts
  const zone = sign ? `${sign}${zoneHour}:${zoneMinute ?? '00'}` : 'Z'
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}
