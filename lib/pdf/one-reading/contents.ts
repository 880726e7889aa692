/** Finds all content that a document draws, pages, forms, patterns and letters, and has it read. */
import { decodePDFRawStream, PDFDict, type PDFDocument, PDFName, PDFRawStream, PDFRef } from 'pdf-lib'
import { inflate } from '../file/inflate.ts'
import type { PdfObjects } from '../file/objects.ts'
import { entryOf, type IndirectObject, nameOf, SyntaxProblem, type Value } from '../file/value.ts'
import type { FontUses } from '../fonts/font-use.ts'
import { readContent } from './drawn-alike.ts'
import { noOperands } from './operands.ts'
import type { PageTree } from './page-tree.ts'
import type { Reachable } from './reachable.ts'
import { shownText } from './shown-text.ts'

const MAX_EXPANDED = 32 * 1024 * 1024
const MAX_DEPTH = 50
const UNPACKED = 'content that only some readers can unpack'

/** Returns the fonts that text is shown in. Throws a `SyntaxProblem` where readers would not come to the same operators. */
export function readContents(tree: PageTree, reachable: Reachable, objects: PdfObjects, doc: PDFDocument): FontUses {
  const uses: FontUses = new Map()
  for (const number of tree.pages) {
    const operands = noOperands()
    const text = shownText(resourcesOf(objects.objectAt(number)!, doc), doc, uses)
    const parts = streamsOf(entryOf(objects.objectAt(number)?.value, 'Contents'), objects)
    readContent(joinedContent(parts.map((part) => dataOf(part, doc) ?? Buffer.alloc(0))), operands, text)
  }
  const letters = new Map(reachable.objects.flatMap((font) => lettersOf(font, objects)))
  for (const object of reachable.objects) {
    const isPattern = entryOf(object.value, 'PatternType') && object.data
    const isForm = nameOf(objects.resolve(entryOf(object.value, 'Subtype'))) === 'Form' && object.data
    const content = isPattern || isForm || letters.has(object.number) ? dataOf(object, doc) : null
    if (!content) continue
    const resources = resourcesOf(letters.get(object.number) ?? object, doc)
    readContent(content, noOperands(), shownText(resources, doc, uses))
  }
  return uses
}

/** The resources of a page, a form, a pattern or a font; pages inherit them. */
function resourcesOf({ number, generation }: IndirectObject, { context }: PDFDocument): PDFDict | null {
  let holder = context.lookup(PDFRef.of(number, generation))
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const dictionary = holder instanceof PDFRawStream ? holder.dict : holder
    if (!(dictionary instanceof PDFDict)) return null
    const resources = dictionary.lookup(PDFName.of('Resources'))
    if (resources instanceof PDFDict) return resources
    holder = dictionary.lookup(PDFName.of('Parent'))
  }
  return null
}

/** The streams of a page; a reference may lead to an array of them. */
function streamsOf(contents: Value | undefined, objects: PdfObjects): IndirectObject[] {
  if (contents?.kind === 'array') return contents.items.flatMap((item) => streamsOf(item, objects))
  const object = contents?.kind === 'reference' ? objects.objectAt(contents.number) : null
  if (object?.value.kind === 'array') {
    return object.value.items.flatMap((item) => (item.kind === 'reference' ? streamsOf(item, objects) : []))
  }
  return object?.data ? [object] : []
}

/** The streams that draw the letters of a font, by number, each with the font. */
function lettersOf(font: IndirectObject, { resolve }: PdfObjects): [number, IndirectObject][] {
  const drawn = resolve(entryOf(font.value, 'CharProcs'))
  if (drawn?.kind !== 'dictionary') return []
  return [...drawn.entries.values()].map((letter) => [letter.kind === 'reference' ? letter.number : -1, font])
}

function dataOf({ number, generation }: IndirectObject, { context }: PDFDocument): Buffer | null {
  const stream = context.lookup(PDFRef.of(number, generation))
  return stream instanceof PDFRawStream ? dataOfStream(stream) : null
}

/**
 * Returns the streams of a page as one. A producer may split them between any two tokens, also within an array, but not within a
 * text: viewers put different white space there. ISO 32000-1, 7.8.2.
 */
export function joinedContent(parts: readonly Buffer[]): Buffer {
  if (parts.length > 1 && !parts.every(endsBetweenTokens)) throw new SyntaxProblem('a text that does not end')
  return Buffer.concat(parts.flatMap((part) => [part, LINE_END]))
}

const LINE_END = Buffer.from('\n')

function endsBetweenTokens(part: Buffer): boolean {
  let at = 0
  while (at < part.length) {
    const byte = part[at]
    if (byte === 0x28) {
      let depth = 0
      do {
        if (part[at] === 0x5c) at++
        else if (part[at] === 0x28) depth++
        else if (part[at] === 0x29) depth--
        at++
      } while (depth > 0 && at < part.length)
      if (depth > 0) return false
    } else if (byte === 0x25) {
      while (at < part.length && part[at] !== 0x0a && part[at] !== 0x0d) at++
      if (at === part.length) return false
    } else if (byte === 0x3c && part[at + 1] !== 0x3c) {
      at = part.indexOf(0x3e, at)
      if (at < 0) return false
    } else at += byte === 0x3c ? 2 : 1
  }
  return true
}

/** Returns what the stream expands to. Throws a `SyntaxProblem` where only some readers could tell. */
export function dataOfStream(stream: PDFRawStream): Buffer {
  const filter = String(stream.dict.entries().find(([key]) => key.decodeText() === 'Filter')?.[1] ?? '')
  const hasParameters = stream.dict.entries().some(([key]) => key.decodeText() === 'DecodeParms')
  if (filter === '') return Buffer.from(stream.getContents())
  if (filter === '/FlateDecode' && !hasParameters) {
    const inflated = inflate(stream.getContents(), MAX_EXPANDED)
    if (typeof inflated === 'string') throw new SyntaxProblem(UNPACKED)
    return inflated
  }
  try {
    return Buffer.from(decodePDFRawStream(stream).decode())
  } catch {
    throw new SyntaxProblem(UNPACKED)
  }
}
