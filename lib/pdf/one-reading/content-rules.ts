/** Finds content that is one thing on a screen and another on paper or in another reader, by its dictionaries. */
import { entryOf, type IndirectObject, nameOf, type Value } from '../file/value.ts'
import type { Reachable } from './reachable.ts'

/** Returns what is wrong, or null. */
export function contentProblem({ objects }: Reachable): string | null {
  for (const object of objects) {
    const problem = streamProblem(object) ?? valueProblem(object.value) ?? numberProblem(object.value, object.bytes)
    if (problem) return problem
  }
  return null
}

function streamProblem({ value, data }: IndirectObject): string | null {
  if (!data) return null
  if (entryOf(value, 'F')) return 'content that lies in another file'
  const subtype = nameOf(entryOf(value, 'Subtype'))
  if (subtype === 'PS' || nameOf(entryOf(value, 'Subtype2')) === 'PS') return 'content for printers only'
  if (subtype === 'Image' && entryOf(value, 'Alternates')) return 'pictures that are others on paper'
  const isDrawn = subtype === 'Image' || subtype === 'Form'
  if (isDrawn && (entryOf(value, 'OPI') || entryOf(value, 'Ref'))) return 'content that lies in another file'
  return null
}

function valueProblem(value: Value): string | null {
  if (value.kind === 'array') return colorProblem(value.items) ?? firstProblem(value.items)
  if (value.kind !== 'dictionary') return null
  return transferProblem(value) ?? firstProblem([...value.entries.values()])
}

const firstProblem = (values: readonly Value[]): string | null => firstOf(values, valueProblem)

/** Ink named None is no ink, and some readers show it. */
function colorProblem([family, inks]: readonly Value[]): string | null {
  const isSeparation = nameOf(family) === 'Separation' && nameOf(inks) === 'None'
  const isDevice = nameOf(family) === 'DeviceN' && inks?.kind === 'array' && inks.items.length > 0
  const isNone = isSeparation || (isDevice && inks.items.every((ink) => nameOf(ink) === 'None'))
  return isNone ? 'content in a color that only some readers show' : null
}

/** Some readers apply a transfer function, which can turn white into black. Those of soft masks all apply. */
function transferProblem(value: Value): string | null {
  const isMask = ['Alpha', 'Luminosity'].includes(nameOf(entryOf(value, 'S')) ?? '')
  const isOther = (key: string) => {
    const transfer = entryOf(value, key)
    // A name is not a function: the map of roles in a tagged document has one for the rows of its tables.
    return transfer !== undefined && nameOf(transfer) === null
  }
  return !isMask && (isOther('TR') || isOther('TR2')) ? 'content in colors that only some readers change' : null
}

/** Where a number has a point, poppler finds none. The attributes of a tagged document (ISO 32000-1, 14.7.5) have sizes in points. */
const WHOLE_NUMBERS: ReadonlySet<string> = new Set(
  `Rotate Width Height BitsPerComponent Predictor Columns Colors LC LJ OPM FirstChar LastChar Flags Count Supplement
  Differences W`.split(/\s+/),
)

function numberProblem(value: Value, bytes: Buffer): string | null {
  if (value.kind === 'array') return firstOf(value.items, (item) => numberProblem(item, bytes))
  if (value.kind !== 'dictionary') return null
  const isLayout = nameOf(entryOf(value, 'O')) !== null
  return firstOf([...value.entries], ([key, entry]) => {
    const isSize = isLayout && (key === 'Width' || key === 'Height')
    const isWhole =
      isSize || !WHOLE_NUMBERS.has(key) || (key === 'W' ? codesOf(entry) : numbersOf(entry)).every(isWritten)
    return isWhole ? numberProblem(entry, bytes) : 'numbers that only some readers understand'
  })

  function isWritten({ start, end }: Value): boolean {
    return !bytes.subarray(start, end).includes('.')
  }
}

function firstOf<T>(items: readonly T[], problemOf: (item: T) => string | null): string | null {
  for (const item of items) {
    const problem = problemOf(item)
    if (problem) return problem
  }
  return null
}

const numbersOf = (value: Value): readonly Value[] =>
  (value.kind === 'array' ? value.items : [value]).filter(({ kind }) => kind === 'number')

/** Returns the codes of a list of widths: before a list of them, or two before one for both. ISO 32000-1, 9.7.4.3. */
function codesOf(value: Value): readonly Value[] {
  if (value.kind !== 'array') return []
  const codes: Value[] = []
  for (let at = 0; at < value.items.length; at += value.items[at + 1]?.kind === 'array' ? 2 : 3)
    codes.push(...value.items.slice(at, at + (value.items[at + 1]?.kind === 'array' ? 1 : 2)))
  return codes.filter(({ kind }) => kind === 'number')
}
