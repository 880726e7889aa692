/** OBX-5, or NTE-3: the PDF, whatever its labels say and however its Base64 was broken. Its parts are joined by their numbers alone. Pure. */
import type { Delimiters } from '../../hl7/delimiters.ts'
import { escaper, meaningOf } from '../../hl7/escapes.ts'
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
  /** The component that holds its parts. */
  component: number
  /** OBX-1 of the part that came last; empty when the sender numbers none. */
  number: string
  /** The place of the last part among the segments of its name. */
  index: number
  /** OBX-4 of the part that came last. */
  subId: string
  /** The difference of OBX-4 between two parts; null before there are two. */
  step: number | null
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
  /** The observation that a note is about; null for a note of the order. */
  about: Observation | null
}

/** The contents of observations and notes, as far as they matter here. */
export interface Found {
  pdfs: readonly Pdf[]
  strays: readonly Stray[]
}

/** Data that is neither a PDF nor joined to one, and is not a file of another kind. */
interface Stray {
  place: string
  /** The number of its characters, or one above what counts. */
  length: number
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

/** Returns the PDF as Base64 without blanks. Holds the message when there is none, or when it is ambiguous. */
export function attachment(
  { pdfs, strays }: Found,
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
    findings.hold('OBX-5', `holds ${pdfs.length} PDFs; set pdf in the map to choose one`)
    return ''
  }
  if (strays.reduce((sum, { length }) => sum + length, 0) > LEAST_DATA) {
    const places = [...new Set(strays.map(({ place }) => place))]
    const fields = ['OBX-5', 'NTE-3'].filter((field) => places.some((place) => place.startsWith(field.slice(0, 3))))
    const named = places.slice(0, 5).join(', ')
    findings.hold(fields.join(', '), `holds data outside of the PDF, which may be a part of it: ${named}`)
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
export function createPdfReader(delimiters: Delimiters): (observations: readonly Observation[]) => Found {
  const base64In = createBase64Reader(delimiters)
  return (observations) => {
    const pdfs: Pdf[] = []
    const strays: Stray[] = []
    const last = new Map<string, Pdf>()
    const loose = new Map<string, { place: string; text: string }>()
    for (const { segment, ordinal: index, about } of observations) {
      const isNote = segment.name === 'NTE'
      const type = valueIn(segment, { field: 2 }).trim()
      if (!isNote && !TYPES.includes(type)) continue
      const kind = isNote ? `NTE|${about?.ordinal}` : `${type}|${segment.textOf(3)}`
      const field = isNote ? 3 : 5
      const place = `${segment.name}[${index}]-${field}`
      const number = valueIn(segment, { field: 1 }).trim()
      const subId = isNote ? '' : valueIn(segment, { field: 4 }).trim()
      const holders = isNote ? [about?.segment ?? []].flat() : [segment]
      for (const [at, read] of base64In(segment.textOf(field)).entries()) {
        const before = last.get(kind)
        const pieces = COMPONENTS.map((component) => ({ component, piece: read(component) }))
        const [begin, second] = pieces.filter(({ piece }) => piece !== null && beginsPdf(piece.base64))
        const piece = (begin ?? pieces.find(({ component }) => component === before?.component))?.piece ?? null
        if (second !== undefined || piece?.hasRest) strays.push({ place, length: LEAST_DATA + 1 })
        if (piece === null) {
          if (before !== undefined) before.hasGap = true
        } else if (begin !== undefined) {
          const pdf: Pdf = {
            ...{ observations: [...holders], pieces: [piece.base64], place, kind },
            component: begin.component,
            ...{ number, index, subId, step: null, isDisordered: false, hasGap: false },
          }
          last.set(kind, pdf)
          pdfs.push(pdf)
        } else if (before !== undefined) {
          // Only numbers could say that two parts are alike.
          before.hasGap ||= number === '' && subId === before.subId && piece.base64 === before.pieces.at(-1)
          if (at === 0) continueWith(before, isNote ? [] : holders, { number, subId, index })
          before.pieces.push(piece.base64)
        }
      }
      if (last.has(kind)) continue
      const { text, isPart } = looseText(segment, field, delimiters)
      if (isPart) strays.push({ place, length: LEAST_DATA + 1 })
      else if (text !== '') {
        const known = loose.get(kind) ?? { place, text: '' }
        // Words of their own, such as one result after the other, are no parts.
        if (known.text.length < LONGEST_LOOSE) known.text += text.length < SHORTEST_PART ? ` ${text} ` : text
        loose.set(kind, known)
      }
    }
    const others = [...loose.values()].map(({ place, text }) => ({ place, length: dataLength(text) }))
    return { pdfs, strays: [...strays, ...others.filter(({ length }) => length > 0)] }
  }
}

/** No update of a PDF has fewer characters, and values that only look like Base64 seldom have more. */
const LEAST_DATA = 64
/** Words are shorter. */
const DATA = /[A-Za-z0-9+/_-]{20,}/g
/** The beginnings of other files in Base64: JPEG, PNG, GIF, TIFF, RTF, ZIP, Word, XML, CDA and HTML. */
const OTHER_FILE = /^(?:\/9j\/|iVBOR|R0lG|SUkq|TU0A|e1xydG|UEsDB|0M8R4|PD94bWw|PENsaW5pY2Fs|PGh0bWw|PCFET0NUW)/

/** The most characters of a field, and of all fields of one kind, that are searched for data. */
const HEAD_OF_FIELD = 2000
const LONGEST_LOOSE = 100_000
const SHORTEST_PART = 12

/** Returns the text of a field that was not joined to a PDF, and whether its labels say that it is a part of one. */
function looseText(segment: ReadSegment, field: number, { component, escapeCharacter }: Delimiters) {
  const head = segment.textOf(field).slice(0, HEAD_OF_FIELD)
  const isEncapsulated = segment.name === 'OBX' && valueIn(segment, { field: 2 }).trim() === 'ED'
  if (!isEncapsulated) return { text: head.replaceAll(escapeCharacter, ''), isPart: false }
  const [, , subtype = '', , data = ''] = head.split(component).map((part) => part.trim())
  if (/pdf/i.test(subtype)) return { text: '', isPart: /[^"]/.test(data) }
  const isOther = !/^(?:|octet-stream|base64)$/i.test(subtype)
  return { text: isOther ? '' : data.replaceAll(escapeCharacter, ''), isPart: false }
}

/**
 * Returns how many characters of a text look like Base64: a part of a PDF that its sender has labelled otherwise. A first part may
 * end where an earlier revision of the PDF does, so that without the others it is a whole document with the text of that revision.
 */
function dataLength(text: string): number {
  let length = 0
  for (const [run] of text.replace(/\b\w+:\/\/\S+/g, '').matchAll(DATA)) {
    if (length === 0 && OTHER_FILE.test(run)) return 0
    if ([/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(run))) length += run.length
    if (length > LEAST_DATA) break
  }
  return length
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
  // OBX-4 is the same in all parts, or numbers them.
  const step = subId === pdf.subId ? 0 : Number(subId || Number.NaN) - Number(pdf.subId || Number.NaN)
  pdf.step ??= step
  pdf.hasGap ||= !isNext || step !== pdf.step || (step !== 0 && step !== 1)
  Object.assign(pdf, { number, subId, index })
}

const beginsPdf = (base64: string): boolean =>
  /^(?:\xef\xbb\xbf)?\s*%PDF-/.test(Buffer.from(base64.slice(0, 64), 'base64').toString('latin1'))

/** Returns the parts as one text with its padding; null when they are not Base64 together. */
function wholeBase64(pieces: readonly string[]): string | null {
  const text = pieces.join('')
  const padding = text.indexOf('=')
  if (padding >= 0 && padding < text.length - 2) {
    if (pieces.slice(0, -1).some((piece) => piece.length % 4 !== 0)) return null
    return Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64'))).toString('base64')
  }
  const rest = text.length % 4
  if (rest === 0) return text
  return rest === 1 || text.endsWith('=') ? null : text + '='.repeat(4 - rest)
}

/** Classes of characters in a field that holds Base64. */
const [OTHER, DIGIT, PADDING, BREAK, CUT, ESCAPE] = [0, 1, 2, 3, 4, 5]

/** The kind of each UTF-16 code unit. */
const KINDS = new Uint8Array(65_536)
for (const code of KINDS.keys()) {
  const character = String.fromCharCode(code)
  if (/[\s\0\uFEFF]/.test(character)) KINDS[code] = BREAK
  else if (/[A-Za-z0-9+/_-]/.test(character)) KINDS[code] = DIGIT
}
KINDS['='.charCodeAt(0)] = PADDING

/** More characters than the components before the data have: an application, a type, a subtype, and an encoding. */
const LONGEST_LABELS = 300

/** The fifth component is the place of encapsulated data; senders put it into the fourth or first, too. */
const COMPONENTS = [5, 4, 1]

interface Base64Piece {
  base64: string
  /** Whether more data is in other components or subcomponents. */
  hasRest: boolean
}

/** Returns the Base64 in a component; null when there is none. */
type ReadComponent = (component: number) => Base64Piece | null

/** Returns a function that gives a reader for each value of a field of a message with these delimiters. */
function createBase64Reader(delimiters: Delimiters): (field: string) => ReadComponent[] {
  const { repetition, component, subcomponent, escapeCharacter } = delimiters
  const kinds = KINDS.slice()
  for (const [character, kind] of [
    [repetition, BREAK],
    [component, CUT],
    [subcomponent, CUT],
    [escapeCharacter, ESCAPE],
  ] as const)
    kinds[character.charCodeAt(0)] = kind

  const [colon = '', comma = ''] = [':', ','].map(escaper(delimiters))

  /** Returns the length of a label before Base64, as in a `data:` URL; 0 when there is none. */
  function labelLength(head: string): number {
    const label = `data${colon}`
    const start = head.length - head.trimStart().length
    if (head.slice(start, start + label.length).toLowerCase() !== label.toLowerCase()) return 0
    const end = head.indexOf(comma, start + label.length)
    return end < 0 ? 0 : end + comma.length
  }

  /**
   * Returns the Base64 from a place to the end of its subcomponent, joined with the first subcomponent of each repetition after it.
   * Goes through the characters once, because a broken document has more pieces than a field may be split into.
   */
  function readFrom(field: string, start: number): Base64Piece | null {
    const from = start + labelLength(field.slice(start, start + 256))
    // Numbers, because each character of a slice would be looked up in the whole message.
    const codes = codesOf(field.slice(from))
    const bytes = Buffer.allocUnsafe(codes.length)
    let length = 0
    let padding = 0
    let escapes = 0
    let rest = 0
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
        rest += (next < 0 ? codes.length : next) - at
        if (next < 0) break
        at = next
        continue
      }
      if (kind === PADDING) padding += 1
      if (kind === OTHER || padding > 2 || (kind === DIGIT && padding > 0)) return null
      bytes[length++] = code
    }
    if (length === 0) return null
    const text = bytes.toString('latin1', 0, length)
    const base64 = /[_-]/.test(text) ? text.replaceAll('-', '+').replaceAll('_', '/') : text
    return { base64, hasRest: rest > LEAST_DATA || start > LONGEST_LABELS }
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
   * Reads a component. Blanks, line breaks and `~` broke the Base64 on its way, and are no
   * part of it.
   */
  function componentReader(value: string): ReadComponent {
    const firstEnd = value.includes(repetition) ? value.indexOf(repetition) : value.length
    const starts = [0]
    for (let at = 0; starts.length < 5; ) {
      const before = value.indexOf(component, at)
      if (before < 0 || before >= firstEnd) break
      at = before + 1
      starts.push(at)
    }
    return (number) => {
      const start = starts[number - 1]
      return start === undefined ? null : readFrom(value, start)
    }
  }

  return (field) => valuesIn(field).map(componentReader)
}

/** Returns the UTF-16 code units; in half of the memory when each is less than 256. */
function codesOf(text: string): Uint8Array | Uint16Array {
  if (!/[^\0-\xff]/.test(text)) return Buffer.from(text, 'latin1')
  const bytes = Buffer.from(text, 'utf16le')
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length)
}

/** Base64 is ASCII in every character set. */
const asLatin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
