/** Content that is one thing on a screen and another on paper or in another reader, told from its dictionaries. */
import { entryOf, type IndirectObject, nameOf, type Value } from '../file/value.ts'
import type { Reachable } from './reachable.ts'

/** What is wrong, or null. */
export function contentProblem({ objects }: Reachable): string | null {
  for (const object of objects) {
    const problem = streamProblem(object) ?? valueProblem(object.value)
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

const firstProblem = (values: readonly Value[]): string | null => {
  for (const value of values) {
    const problem = valueProblem(value)
    if (problem) return problem
  }
  return null
}

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
    // A name is no function: the map of roles in a tagged document has one for the rows of its tables.
    return transfer !== undefined && nameOf(transfer) === null
  }
  return !isMask && (isOther('TR') || isOther('TR2')) ? 'content in colors that only some readers change' : null
}
