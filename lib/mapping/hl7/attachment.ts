/** OBX-5, or NTE-3: the PDF, whatever its labels say and however its Base64 was broken. Its parts are joined by their numbers alone. Pure. */
import type { Delimiters } from '../../hl7/delimiters.ts'
import { meaningOf } from '../../hl7/escapes.ts'
import { HL7_LIMITS, tooMany } from '../../hl7/limits.ts'
import { type ReadMessage, type ReadSegment, segmentsOf } from '../../hl7/message.ts'
import { valueIn } from '../../hl7/value-at.ts'
import type { Findings } from '../findings.ts'
import type { MapFile } from '../map-file.ts'
import { pdfInBase64 } from '../whole-pdf.ts'

/** Encapsulated data, and what senders write in its place: text, or nothing. */
const TYPES = ['ED', 'ST', 'TX', 'FT', '']

/** A PDF in one or more observations. */
export interface Pdf {
  /** The observations that hold its parts, or that the notes with its parts are about. */
  observations: ReadSegment[]
  /** Base64. A document may come in very many parts, so they are joined once. */
  pieces: string[]
  /** Where it begins: `OBX[2]-5`. */
  place: string
  /** OBX-2 and OBX-3, which all parts of one document have; or that it is in the notes about one observation. */
  kind: string
  /** OBX-1 of the part that came last; empty when the sender numbers none. */
  number: string
  /** The place of the last part among the segments of its name. */
  index: number
  /** OBX-4 of the part that came last. */
  subId: string
  /** Whether a part came after one with a higher number. */
  isDisordered: boolean
  /** Whether a number is missing or comes twice. */
  hasGap: boolean
}

/** An observation, or a note. */
export interface Observation {
  segment: ReadSegment
  /** Its place among the segments of its name in the message, from 1. */
  ordinal: number
  /** Of a note: the observation that it is about; null for a note of the order. */
  about: Observation | null
}

/** Returns a function that finds the observations and notes in some segments of the message. */
export function observationFinder(message: ReadMessage): (segments: readonly ReadSegment[]) => Observation[] {
  const ordinals = new Map(
    ['OBX', 'NTE'].flatMap((name) => segmentsOf(message, name).map((segment, index) => [segment, index + 1] as const)),
  )
  return (segments) => {
    let about: Observation | null = null
    return segments.flatMap((segment) => {
      const ordinal = ordinals.get(segment)
      if (ordinal === undefined) {
        about = null
        return []
      }
      const found: Observation = { segment, ordinal, about: segment.name === 'NTE' ? about : null }
      if (segment.name === 'OBX') about = found
      return [found]
    })
  }
}

/** Returns the PDF as Base64 without blanks. Holds the message when there is none, or when it cannot be told which is meant. */
export function attachment(
  pdfs: readonly Pdf[],
  observations: readonly Observation[],
  { pdf: setting }: MapFile,
  findings: Findings,
): string {
  const chosen = chosenPdf(pdfs, setting)
  if (chosen === undefined) {
    const isPointer = observations.some(({ segment }) => valueIn(segment, { field: 2 }) === 'RP')
    findings.hold('OBX-5', isPointer ? 'points to a document, and does not hold it' : 'holds no PDF')
    return ''
  }
  if (pdfs.length > 1 && setting === 'hold') {
    findings.hold('OBX-5', `holds ${pdfs.length} PDFs; say in the map which one is signed`)
    return ''
  }
  findings.from('document.attachment', chosen.place)
  const field = chosen.place.startsWith('NTE') ? 'NTE-3' : 'OBX-5'
  const base64 = wholeBase64(chosen.pieces)
  const whole = base64 === null ? null : pdfInBase64(base64)
  if (chosen.isDisordered) findings.hold(field, 'holds a PDF whose parts are in another order than their numbers say')
  else if (chosen.hasGap) findings.hold(field, 'holds a PDF of which a part is missing or comes twice')
  else if (!whole?.ok) findings.hold(field, (whole?.reason ?? 'is a PDF without its end').replace(/^is a /, 'holds a '))
  return whole?.ok ? whole.base64 : ''
}

/** Returns the PDF that counts by the map. */
export const chosenPdf = (pdfs: readonly Pdf[], setting: MapFile['pdf']): Pdf | undefined =>
  setting === 'last' ? pdfs.at(-1) : pdfs[0]

/**
 * Returns a function that finds the PDFs in observations. A part continues the PDF before it with the same OBX-2 and OBX-3, by its
 * number in OBX-1 or OBX-4; what the PDF holds so far does not count, as an earlier revision ends like a whole document.
 */
export function createPdfReader(delimiters: Delimiters): (observations: readonly Observation[]) => Pdf[] {
  const base64In = createBase64Reader(delimiters)
  return (observations) => {
    const pdfs: Pdf[] = []
    const last = new Map<string, Pdf>()
    for (const { segment, ordinal: index, about } of observations) {
      const isNote = segment.name === 'NTE'
      const type = valueIn(segment, { field: 2 }).trim()
      if (!isNote && !TYPES.includes(type)) continue
      const kind = isNote ? `NTE|${about?.ordinal}` : `${type}|${segment.textOf(3)}`
      const field = isNote ? 3 : 5
      const number = valueIn(segment, { field: 1 }).trim()
      const subId = isNote ? '' : valueIn(segment, { field: 4 }).trim()
      const holders = isNote ? [about?.segment ?? []].flat() : [segment]
      for (const [at, piece] of base64In(segment.textOf(field)).entries()) {
        const before = last.get(kind)
        if (piece === null) {
          if (at > 0 && before !== undefined) before.hasGap = true
        } else if (beginsPdf(piece)) {
          const pdf: Pdf = {
            ...{ observations: [...holders], pieces: [piece], place: `${segment.name}[${index}]-${field}`, kind },
            ...{ number, index, subId, isDisordered: false, hasGap: false },
          }
          last.set(kind, pdf)
          pdfs.push(pdf)
        } else if (before !== undefined) {
          if (at === 0) continueWith(before, isNote ? [] : holders, { number, subId, index })
          before.pieces.push(piece)
        }
      }
    }
    return pdfs
  }
}

/** Notes a further part of a PDF, and whether its number is the next one. */
function continueWith(
  pdf: Pdf,
  holders: readonly ReadSegment[],
  { number, subId, index }: Pick<Pdf, 'number' | 'subId' | 'index'>,
): void {
  pdf.observations.push(...holders)
  pdf.isDisordered ||= Number(number) < Number(pdf.number)
  // Other observations between two parts have numbers of their own.
  const isNext =
    number === '' || pdf.number === ''
      ? number === pdf.number
      : Number(number) - Number(pdf.number) === index - pdf.index
  const isSameOrNext = subId === pdf.subId || Number(subId || Number.NaN) === Number(pdf.subId || Number.NaN) + 1
  pdf.hasGap ||= !isNext || !isSameOrNext
  Object.assign(pdf, { number, subId, index })
}

const beginsPdf = (base64: string): boolean =>
  /^(?:\xef\xbb\xbf)?\s*%PDF-/.test(Buffer.from(base64.slice(0, 64), 'base64').toString('latin1'))

/** Returns the parts as one text with its padding; null when they are not Base64 together. */
function wholeBase64(pieces: readonly string[]): string | null {
  const isPaddedInside = pieces.slice(0, -1).some((piece) => piece.endsWith('='))
  if (isPaddedInside) {
    if (pieces.slice(0, -1).some((piece) => piece.length % 4 !== 0)) return null
    return Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64'))).toString('base64')
  }
  const text = pieces.join('')
  const rest = text.length % 4
  if (rest === 0) return text
  return rest === 1 || text.endsWith('=') ? null : text + '='.repeat(4 - rest)
}

/** What a character is in a field that holds Base64. */
const [OTHER, DIGIT, PADDING, BREAK, CUT, ESCAPE] = [0, 1, 2, 3, 4, 5]

/** Of each UTF-16 code unit. */
const KINDS = new Uint8Array(65_536)
for (const code of KINDS.keys()) {
  const character = String.fromCharCode(code)
  if (/[\s\0\uFEFF]/.test(character)) KINDS[code] = BREAK
  else if (/[A-Za-z0-9+/_-]/.test(character)) KINDS[code] = DIGIT
}
KINDS['='.charCodeAt(0)] = PADDING

/** A label before Base64, as in the addresses of browsers. */
const DATA_LABEL = /^\s*data:[^,]{0,200},/i

/**
 * Returns a function that gives the Base64 in each value of a field of a message with these delimiters; null for a value without it.
 */
function createBase64Reader(delimiters: Delimiters): (field: string) => (string | null)[] {
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
  function readFrom(field: string, start: number): string | null {
    const from = start + (DATA_LABEL.exec(field.slice(start, start + 256))?.[0].length ?? 0)
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
          if (padding > 0 ? digits !== '' : /[^A-Za-z0-9+/_-]/.test(digits)) return null
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
    if (length < 4 || length === padding) return null
    const text = bytes.toString('latin1', 0, length)
    return /[_-]/.test(text) ? text.replaceAll('-', '+').replaceAll('_', '/') : text
  }

  /**
   * Divides a field where a repetition is a value of its own: one with components, or the beginning of a PDF. All other repetitions
   * are pieces of the value before them, which `~` broke on its way.
   */
  function valuesIn(field: string): string[] {
    const values: string[] = []
    let from = 0
    let componentAt = field.indexOf(component, field.indexOf(repetition) + 1)
    for (let at = field.indexOf(repetition); at >= 0; ) {
      const next = field.indexOf(repetition, at + 1)
      const end = next < 0 ? field.length : next
      if (componentAt >= 0 && componentAt < at) componentAt = field.indexOf(component, at + 1)
      if ((componentAt >= 0 && componentAt < end) || beginsPdf(field.slice(at + 1, Math.min(end, at + 65)))) {
        values.push(field.slice(from, at))
        from = at + 1
      }
      at = next
    }
    return [...values, field.slice(from)]
  }

  /**
   * Reads the fifth component, which is the place of encapsulated data, or the fourth or first, where senders put it too. Blanks,
   * line breaks and `~` broke it on its way, and are no part of it.
   */
  function readValue(value: string): string | null {
    const firstEnd = value.includes(repetition) ? value.indexOf(repetition) : value.length
    const starts = [0]
    for (let at = 0; starts.length < 5; ) {
      const before = value.indexOf(component, at)
      if (before < 0 || before >= firstEnd) break
      at = before + 1
      starts.push(at)
    }
    const places = new Set([5, 4, 1].map((number) => starts[number - 1] ?? firstEnd))
    for (const place of places) {
      const text = readFrom(value, place)
      if (text !== null) return text
    }
    return null
  }

  return (field) => valuesIn(field).map(readValue)
}

/** Returns the UTF-16 code units; in half of the memory when each is less than 256. */
function codesOf(text: string): Uint8Array | Uint16Array {
  if (!/[^\0-\xff]/.test(text)) return Buffer.from(text, 'latin1')
  const bytes = Buffer.from(text, 'utf16le')
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length)
}

/** Base64 is ASCII in every character set. */
const asLatin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
