/**
 * The pages of a document, in order. Strict, because readers differ in what they do with a tree that contradicts itself:
 * some count, some walk, some go up through the parents for what a page inherits.
 */
import type { PdfObjects } from '../file/objects.ts'
import { countOf, type Dictionary, entryOf, nameOf, type Reference, SyntaxProblem, type Value } from '../file/value.ts'

export interface PageTree {
  catalog: Dictionary
  /** Object numbers of the pages, in order. */
  pages: readonly number[]
}

const MAX_DEPTH = 50
const CONTRADICTION = 'a page tree that contradicts itself'

/** Throws a `SyntaxProblem`. */
export function readPageTree(trailer: Dictionary, objects: PdfObjects): PageTree {
  const catalog = objects.resolve(entryOf(trailer, 'Root'))
  const root = entryOf(catalog, 'Pages')
  const isCatalog = catalog?.kind === 'dictionary' && nameOf(objects.resolve(entryOf(catalog, 'Type'))) === 'Catalog'
  if (!isCatalog || root?.kind !== 'reference') throw new SyntaxProblem('no catalog of its pages')
  const pages: number[] = []
  const seen = new Set<number>()

  const boxOf = (node: Dictionary, key: string): readonly number[] | null => {
    const box = objects.resolve(node.entries.get(key))
    if (box?.kind !== 'array') return null
    return box.items.map((item) => {
      const side = objects.resolve(item)
      return side?.kind === 'number' ? side.value : Number.NaN
    })
  }
  /** Returns the number of pages below. */
  const walk = (node: Value | undefined, parent: Reference | null, depth: number, above: Boxes): number => {
    const value = node?.kind === 'reference' ? objects.resolve(node) : null
    if (node?.kind !== 'reference' || value?.kind !== 'dictionary' || depth > MAX_DEPTH || seen.has(node.number)) {
      throw new SyntaxProblem(CONTRADICTION)
    }
    seen.add(node.number)
    const stated = value.entries.get('Parent')
    const isBelow = parent ? stated?.kind === 'reference' && stated.number === parent.number : stated === undefined
    if (!isBelow) throw new SyntaxProblem(CONTRADICTION)
    checkTurn(objects.resolve(value.entries.get('Rotate')))
    const type = nameOf(objects.resolve(value.entries.get('Type')))
    const kids = objects.resolve(value.entries.get('Kids'))
    const boxes = { media: boxOf(value, 'MediaBox') ?? above.media, crop: boxOf(value, 'CropBox') ?? above.crop }
    if (type === 'Page' && kids === null) {
      checkBoxes(boxes)
      pages.push(node.number)
      return 1
    }
    if (type !== 'Pages' || kids?.kind !== 'array') throw new SyntaxProblem(CONTRADICTION)
    const found = kids.items.reduce((sum, kid) => sum + walk(kid, node, depth + 1, boxes), 0)
    if (countOf(objects.resolve(value.entries.get('Count'))) !== found) throw new SyntaxProblem(CONTRADICTION)
    return found
  }
  walk(root, null, 0, { media: null, crop: null })
  return { catalog, pages }
}

interface Boxes {
  media: readonly number[] | null
  crop: readonly number[] | null
}

/** Where the crop box is alongside the page, or is none, some readers show the whole page and others nothing. */
function checkBoxes({ media, crop }: Boxes): void {
  if (!media || !crop) return
  const meets = (low: 0 | 1) => {
    const [a, b] = [media[low]!, media[low + 2]!]
    const [c, d] = [crop[low]!, crop[low + 2]!]
    return Math.min(Math.max(a, b), Math.max(c, d)) > Math.max(Math.min(a, b), Math.min(c, d))
  }
  if (crop.length !== 4 || media.length !== 4 || !meets(0) || !meets(1)) {
    throw new SyntaxProblem('a page that is cropped to nothing')
  }
}

/** Readers round other turns up, down, or to none. */
function checkTurn(rotate: Value | null): void {
  if (rotate !== null && !(rotate.kind === 'number' && rotate.value % 90 === 0)) {
    throw new SyntaxProblem('a page that is turned by something else than a quarter')
  }
}
