/** Everything that a reader can come to from the trailer, each object once. */
import type { CrossReference } from '../file/cross-reference.ts'
import type { PdfObjects } from '../file/objects.ts'
import { countOf, entryOf, type IndirectObject, type Reference, SyntaxProblem, type Value } from '../file/value.ts'

export interface Reachable {
  objects: readonly IndirectObject[]
  /** Referred to, and free or unknown. */
  missing: readonly Reference[]
}

/** Throws a `SyntaxProblem` when one of them is not as it should be. */
export function reachableObjects({ trailer, sections }: CrossReference, { objectAt }: PdfObjects): Reachable {
  const size = countOf(entryOf(trailer, 'Size'))
  if (size === null || sections.some((section) => countOf(entryOf(section.trailer, 'Size')) === null)) {
    throw new SyntaxProblem('a trailer that is not written as it should')
  }
  const objects: IndirectObject[] = []
  const missing: Reference[] = []
  const seen = new Set<number>()
  const open: Value[] = [trailer]
  const visit = (reference: Reference) => {
    const object = objectAt(reference.number)
    if (object && (object.generation !== reference.generation || object.value.kind === 'reference')) {
      throw new SyntaxProblem('a reference that leads to another object than it says')
    }
    if (seen.has(reference.number)) return
    seen.add(reference.number)
    if (!object) {
      missing.push(reference)
      return
    }
    // One too few is a common slip that readers forgive.
    if (object.number > size) throw new SyntaxProblem('objects beyond its stated size')
    objects.push(object)
    open.push(object.value)
  }
  for (let value = open.pop(); value; value = open.pop()) {
    if (value.kind === 'reference') visit(value)
    else if (value.kind === 'array') for (const item of value.items) open.push(item)
    else if (value.kind === 'dictionary') for (const item of value.entries.values()) open.push(item)
  }
  return { objects, missing }
}
