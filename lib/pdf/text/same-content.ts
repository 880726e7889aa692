/**
 * Compares what two pages consist of, operation by operation. Fonts, patterns and the like are compared by what they are, not by the
 * name under which a document happens to hold them.
 */
import type { Operation, PageContent } from './page-content.ts'

export interface ContentComparison {
  /** @param a of the first page, b of the second */
  isSame(a: Operation, b: Operation): boolean
  /** Do both pages have the same annotations, and do these draw the same? */
  haveSameOverlay(): boolean
}

/** Both pages have to stay open for as long as they are compared. */
export function comparedContent(a: PageContent, b: PageContent): ContentComparison {
  /** Results of comparisons by two names, so that each font is compared once. */
  const known = new Map<string, boolean>()
  const isSameText = (one: string, other: string): boolean => {
    const [kept, keptOther] = [a.named(one), b.named(other)]
    // A text that is no name, or a name for nothing.
    if (kept === null || keptOther === null) return kept === keptOther && one === other
    const pair = `${one} ${other}`
    const found = known.get(pair)
    if (found !== undefined) return found
    // Set first, so that an object that leads to itself ends here.
    known.set(pair, true)
    const same = isSameObject(kept, keptOther, isSameText)
    known.set(pair, same)
    return same
  }
  const isSame = (one: Operation, other: Operation) =>
    one.operator === other.operator && isSameValue(one.operands, other.operands, isSameText)
  return {
    isSame,
    haveSameOverlay: () =>
      a.overlay.length === b.overlay.length &&
      a.overlay.every((one, i) => isSame(one, b.overlay[i]!)) &&
      isSameValue(a.annotations, b.annotations, isSameText),
  }
}

type SameText = (a: string, b: string) => boolean

interface ListedFont {
  name?: string
  data?: Uint8Array | null
  isType3Font?: boolean
  vertical?: boolean
  fontMatrix?: unknown
  bbox?: unknown
  charProcOperatorList?: unknown
}

const isFont = (object: unknown): object is ListedFont =>
  typeof object === 'object' && object !== null && 'isType3Font' in object && 'loadedName' in object

function isSameObject(a: unknown, b: unknown, isSameText: SameText): boolean {
  if (!isFont(a) || !isFont(b)) return isFont(a) === isFont(b) && isSameValue(a, b, isSameText)
  return isSameValue(partsOf(a), partsOf(b), (textA, textB) => textA === textB)
}

/**
 * Selects the parts of a font that determine how it is drawn. Other entries tell how the reader got there, or under which names
 * it keeps it.
 */
const partsOf = ({ name, data, isType3Font, vertical, fontMatrix, bbox, charProcOperatorList }: ListedFont) => [
  name,
  data ?? null,
  isType3Font,
  vertical,
  fontMatrix,
  bbox,
  charProcOperatorList,
]

/** Of one kind, with equal parts in the same order. */
function isSameValue(a: unknown, b: unknown, isSameText: SameText): boolean {
  if (typeof a === 'string') return typeof b === 'string' && isSameText(a, b)
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b)
  if (Array.isArray(a)) return Array.isArray(b) && isSameList(a, b, isSameText)
  if (ArrayBuffer.isView(a)) return ArrayBuffer.isView(b) && a.constructor === b.constructor && hasSameBytes(a, b)
  if (a instanceof ArrayBuffer) return b instanceof ArrayBuffer && hasSameBytes(new Uint8Array(a), new Uint8Array(b))
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false
  if (a instanceof Map || a instanceof Set) return isSameList([...a], [...(b as Set<unknown>)], isSameText)
  return isSameRecord(a as Entries, b as Entries, isSameText)
}

/** Missing items count too. */
function isSameList(a: readonly unknown[], b: readonly unknown[], isSameText: SameText): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (!isSameValue(a[i], b[i], isSameText)) return false
  return true
}

type Entries = Readonly<Record<string, unknown>>

function isSameRecord(a: Entries, b: Entries, isSameText: SameText): boolean {
  const [keysOfA, keysOfB] = [Object.keys(a), Object.keys(b)]
  if (keysOfA.length !== keysOfB.length) return false
  for (const [i, key] of keysOfA.entries()) {
    if (key !== keysOfB[i]) return false
    const [one, other] = [a[key], b[key]]
    const areFunctions = typeof one === 'function' && typeof other === 'function'
    if (!areFunctions && !isSameValue(one, other, isSameText)) return false
  }
  return true
}

const hasSameBytes = (a: ArrayBufferView, b: ArrayBufferView): boolean => bytesOf(a).equals(bytesOf(b))

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)
