/** OBX-5: the PDF, whatever its labels say and however its Base64 was broken. Pure. */
import type { Delimiters } from '../../hl7/delimiters.ts'
import { meaningOf } from '../../hl7/escapes.ts'
import { HL7_LIMITS, tooMany } from '../../hl7/limits.ts'
import { type ReadMessage, segmentsOf } from '../../hl7/message.ts'
import { valueIn } from '../../hl7/value-at.ts'
import type { Findings } from '../findings.ts'
import type { MapFile } from '../map-file.ts'

/** Encapsulated data, and text that senders put it into. */
const TYPES = ['ED', 'ST', 'TX', 'FT']
/** `%PDF-` in Base64. */
const BEGINS = 'JVBERi0'

/** Returns the PDF as Base64 without blanks. Holds the message when there is none, or when it cannot be told which is meant. */
export function attachment(message: ReadMessage, { pdf: setting }: MapFile, findings: Findings): string {
  const observations = segmentsOf(message, 'OBX')
  const documents = joined(message)
  const [first] = documents
  if (first === undefined) {
    const isPointer = observations.some((segment) => valueIn(segment, { field: 2 }) === 'RP')
    findings.hold('OBX-5', isPointer ? 'points to a document, and does not hold it' : 'holds no PDF')
    return ''
  }
  if (documents.length > 1 && setting === 'hold') {
    findings.hold('OBX-5', `holds ${documents.length} PDFs; say in the map which one is signed`)
    return ''
  }
  const chosen = setting === 'last' ? documents.at(-1)! : first
  if (chosen.isDisordered) findings.hold('OBX-5', 'holds a PDF whose parts stand in another order than OBX-1 says')
  else if (!isWhole(chosen)) findings.hold('OBX-5', 'holds a PDF without its end')
  findings.from('document.attachment', chosen.place)
  return chosen.pieces.join('')
}

interface Pdf {
  /** Base64. A document may come in very many parts, so they are joined once. */
  pieces: string[]
  /** Of all pieces. */
  length: number
  /** The last characters, in which the end of the document may have begun. */
  tail: string
  /** The length at which the end of the document was found last; null before. */
  endAt: number | null
  /** Where it begins: `OBX[2]-5`. */
  place: string
  /** OBX-3, which all parts of one document have. */
  kind: string
  /** OBX-1 of the part that came last. */
  number: number
  /** Whether a part came after one with a higher number. */
  isDisordered: boolean
}

/** Joins a PDF that was spread over segments with the same OBX-3. */
function joined(message: ReadMessage): Pdf[] {
  const documents: Pdf[] = []
  const base64In = createBase64Reader(message.delimiters)
  for (const [index, segment] of segmentsOf(message, 'OBX').entries()) {
    if (!TYPES.includes(valueIn(segment, { field: 2 }))) continue
    const text = base64In(segment.textOf(5))
    if (text === null) continue
    const kind = segment.textOf(3)
    const before = documents.at(-1)
    const number = Number(valueIn(segment, { field: 1 }))
    if (text.startsWith(BEGINS)) {
      const place = `OBX[${index + 1}]-5`
      documents.push(
        withPiece({ pieces: [], length: 0, tail: '', endAt: null, kind, number, isDisordered: false, place }, text),
      )
    } else if (before?.kind === kind) {
      before.isDisordered ||= number < before.number
      before.number = number
      // Words can look like Base64, so nothing is added to a PDF that is whole.
      if (!isWhole(before)) withPiece(before, text)
    }
  }
  return documents
}

/** Where a PDF says that it ends, as Base64: within this many characters of the end. */
const END_WITHIN = 4096
const END = '%%EOF'
/** Base64 of the end of a document and of what may be before it in its group of four. */
const END_LENGTH = 12

const isWhole = ({ length, endAt }: Pdf): boolean => length % 4 === 0 && endAt !== null && length - endAt < END_WITHIN

/** Adds a piece, and looks for the end of the document in it alone. */
function withPiece(pdf: Pdf, text: string): Pdf {
  pdf.pieces.push(text)
  pdf.length += text.length
  const last = (pdf.tail + text.slice(-END_WITHIN)).slice(-END_WITHIN)
  const groupsFrom = (4 - ((pdf.length - last.length) % 4)) % 4
  if (Buffer.from(last.slice(groupsFrom), 'base64').includes(END)) pdf.endAt = pdf.length
  pdf.tail = last.slice(-END_LENGTH)
  return pdf
}

/** What a character is in a field that holds Base64. */
const [OTHER, DIGIT, PADDING, BREAK, CUT, ESCAPE] = [0, 1, 2, 3, 4, 5]

/** Of each UTF-16 code unit. */
const KINDS = new Uint8Array(65_536)
for (const code of KINDS.keys()) {
  const character = String.fromCharCode(code)
  if (/\s/.test(character)) KINDS[code] = BREAK
  else if (/[A-Za-z0-9+/]/.test(character)) KINDS[code] = DIGIT
}
KINDS['='.charCodeAt(0)] = PADDING

/** Returns a function that gives the Base64 in a field of a message with these delimiters; null when there is none. */
function createBase64Reader(delimiters: Delimiters): (field: string) => string | null {
  const { repetition, component, subcomponent, escapeCharacter } = delimiters
  const kinds = KINDS.slice()
  for (const [character, kind] of [
    [repetition, BREAK],
    [component, CUT],
    [subcomponent, CUT],
    [escapeCharacter, ESCAPE],
  ] as const)
    kinds[character.charCodeAt(0)] = kind

  /**
   * Returns the Base64 from a place to the end of its subcomponent, joined with the first subcomponent of each repetition after it.
   * Goes through the characters once, because a broken document has more pieces than a field may be split into.
   */
  function readFrom(field: string, from: number): string | null {
    // Numbers, because each character of a slice would be looked up in the whole message.
    const codes = codesOf(field.slice(from))
    const bytes = Buffer.allocUnsafe(codes.length)
    let length = 0
    let padding = 0
    let escapes = 0
    for (let at = 0; at < codes.length; at++) {
      const code = codes[at]!
      let kind = kinds[code]!
      if (kind === BREAK) continue
      if (kind === ESCAPE) {
        if (++escapes > HL7_LIMITS.escapes) throw tooMany('OBX-5', 'escapes')
        const end = field.indexOf(escapeCharacter, from + at + 1)
        const meaning = end < 0 ? null : meaningOf(field.slice(from + at + 1, end), delimiters, asLatin1)
        if (meaning !== null) {
          const digits = meaning.replace(/\s+/g, '')
          if (padding > 0 ? digits !== '' : /[^A-Za-z0-9+/]/.test(digits)) return null
          length += bytes.write(digits, length, 'latin1')
          at = end - from
          continue
        }
        // An escape character that escapes nothing is a character like others.
        kind = KINDS[code]!
      }
      if (kind === CUT) {
        const next = codes.indexOf(repetition.charCodeAt(0), at)
        if (next < 0) break
        at = next
        continue
      }
      if (kind === PADDING) padding += 1
      if (kind === OTHER || padding > 2 || (kind === DIGIT && padding > 0)) return null
      bytes[length++] = code
    }
    return length < 4 || length === padding ? null : bytes.toString('latin1', 0, length)
  }

  /**
   * Reads the fifth component, which is the place of encapsulated data, or the fourth or first, where senders put it too. Blanks,
   * line breaks and `~` broke it on its way, and are no part of it.
   */
  return (field) => {
    const firstEnd = field.includes(repetition) ? field.indexOf(repetition) : field.length
    const starts = [0]
    for (let at = 0; starts.length < 5; ) {
      const before = field.indexOf(component, at)
      if (before < 0 || before >= firstEnd) break
      at = before + 1
      starts.push(at)
    }
    const places = new Set([5, 4, 1].map((number) => starts[number - 1] ?? firstEnd))
    for (const place of places) {
      const text = readFrom(field, place)
      if (text !== null) return text
    }
    return null
  }
}

/** Returns the UTF-16 code units; in half of the memory when each is less than 256. */
function codesOf(text: string): Uint8Array | Uint16Array {
  if (!/[^\0-\xff]/.test(text)) return Buffer.from(text, 'latin1')
  const bytes = Buffer.from(text, 'utf16le')
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length)
}

/** Base64 is ASCII in every character set. */
const asLatin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
