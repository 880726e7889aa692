/** OBX-5: the PDF, whatever its labels say and however its Base64 was broken. Pure. */
import { type Field, fieldOf, type Message, type Segment, segmentsOf } from '../../hl7/message.ts'
import { valueIn } from '../../hl7/value-at.ts'
import type { Findings } from '../findings.ts'
import type { MapFile } from '../map-file.ts'

/** Encapsulated data, and text that senders put it into. */
const TYPES = ['ED', 'ST', 'TX', 'FT']
/** `%PDF-` in Base64. */
const BEGINS = 'JVBERi0'
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Returns the PDF as Base64 without blanks. Holds the message when there is none, or when it cannot be told which is meant. */
export function attachment(message: Message, { pdf: setting }: MapFile, findings: Findings): string {
  const observations = segmentsOf(message, 'OBX')
  const documents = joined(observations)
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
  return chosen.text
}

interface Pdf {
  /** Base64. */
  text: string
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
function joined(observations: Segment[]): Pdf[] {
  const documents: Pdf[] = []
  for (const [index, segment] of observations.entries()) {
    if (!TYPES.includes(valueIn(segment, { field: 2 }))) continue
    const kind = JSON.stringify(fieldOf(segment, 3))
    const before = documents.at(-1)
    const text = base64In(fieldOf(segment, 5))
    const number = Number(valueIn(segment, { field: 1 }))
    if (text?.startsWith(BEGINS))
      documents.push({ text, kind, number, isDisordered: false, place: `OBX[${index + 1}]-5` })
    else if (text !== null && before?.kind === kind) {
      before.isDisordered ||= number < before.number
      before.number = number
      // Words can look like Base64, so nothing is added to a PDF that is whole.
      if (!isWhole(before)) before.text += text
    }
  }
  return documents
}

/** Where a PDF says that it ends, as Base64: within this many characters of the end. */
const TAIL = 4096
const END = '%%EOF'

const isWhole = ({ text }: Pdf): boolean =>
  text.length % 4 === 0 && Buffer.from(text.slice(-TAIL), 'base64').includes(END)

/**
 * Returns the Base64 in a value: in the fifth component, where encapsulated data stands, or in the fourth or first, where senders
 * put it too. Blanks, line breaks and `~` broke it on its way, and are no part of it. Null when there is none.
 */
function base64In(field: Field): string | null {
  const [first, ...others] = field
  for (const number of [5, 4, 1]) {
    const pieces = [first?.[number - 1]?.[0] ?? '', ...others.map((repetition) => repetition[0]?.[0] ?? '')]
    const text = pieces.join('').replace(/\s+/g, '')
    if (text.length >= 4 && BASE64.test(text)) return text
  }
  return null
}
