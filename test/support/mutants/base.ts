/** A good document taken apart into its objects, so that a mutant can be put together from them and from false ones. */
import { readCrossReference } from '../../../lib/pdf/file/cross-reference.ts'
import { pdfObjects } from '../../../lib/pdf/file/objects.ts'
import { entryOf, type IndirectObject, nameOf, type Value } from '../../../lib/pdf/file/value.ts'
import { stream } from '../pdf/written-pdf.ts'

export interface Base {
  name: string
  file: Buffer
  /** What stands between `5 0 obj` and `endobj`, by number; those of object streams as well. */
  bodies: ReadonlyMap<number, string>
  catalog: number
  pages: number
  /** The first page, its content and a font of it. */
  page: number
  content: number
  font: number | null
  /** The first number that no object has. */
  unused: number
}

export function baseOf(name: string, file: Buffer): Base {
  const read = readCrossReference(file)
  if (!read.ok) throw new Error(read.problem)
  const { crossReference } = read
  const objects = pdfObjects(file, crossReference)
  const bodies = new Map<number, string>()
  let font: number | null = null
  for (const number of [...crossReference.places.keys()].sort((a, b) => a - b)) {
    const object = objects.objectAt(number)
    const type = nameOf(entryOf(object?.value, 'Type'))
    if (!object || type === 'ObjStm' || type === 'XRef' || entryOf(object.value, 'Linearized')) continue
    const isPart = nameOf(entryOf(object.value, 'Subtype'))?.startsWith('CIDFont')
    if (type === 'Font' && !isPart) font ??= number
    bodies.set(number, bodyOf(object))
  }
  const numberOf = (value: Value | undefined): number => {
    const first = value?.kind === 'array' ? value.items[0] : value
    return first?.kind === 'reference' ? first.number : -1
  }
  const catalog = numberOf(entryOf(crossReference.trailer, 'Root'))
  const pages = numberOf(entryOf(objects.objectAt(catalog)?.value, 'Pages'))
  let page = pages
  for (let kids = pages; kids >= 0; kids = numberOf(entryOf(objects.objectAt(page)?.value, 'Kids'))) page = kids
  const content = numberOf(entryOf(objects.objectAt(page)?.value, 'Contents'))
  return { name, file, bodies, catalog, pages, page, content, font, unused: Math.max(...bodies.keys()) + 1 }
}

const bodyOf = ({ bytes, value, data, end }: IndirectObject): string =>
  bytes.toString('latin1', value.start, data ? end - 'endobj'.length : end).replace(/\s*endobj$/, '')

/** Something that nobody can take for the order. */
export const evilDrawing = 'q 0 g 80 300 300 90 re f Q'

export interface Evil {
  number: number
  body: string
  /** What the false object needs besides, under numbers that were unused. */
  more: readonly (readonly [number: number, body: string])[]
}

export const targets = ['content', 'page', 'turn', 'size', 'pages', 'catalog', 'font', 'symbols'] as const
export type Target = (typeof targets)[number]

/** Another version of an object, with which the first page looks different. */
export function evilOf(base: Base, target: Target): Evil {
  const { bodies, unused } = base
  const page = bodies.get(base.page)!
  const content = [unused, stream(evilDrawing)] as const
  const withContent = page.replace(/\/Contents\s*(?:\d+ \d+ R|\[[^\]]*\])/, `/Contents ${unused} 0 R`)
  const without = (key: string) => page.replace(new RegExp(`/${key}\\s*(?:-?\\d+(?! \\d+ R)|\\[[^\\]]*\\])`), ' ')
  const more = (entries: string, body = page) => `${body.trimEnd().replace(/>>$/, '')} ${entries} >>`
  const evilPages = [unused + 2, `<< /Type /Pages /Kids [${unused + 1} 0 R] /Count 1 >>`] as const
  const evilPage = (parent: number) =>
    [unused + 1, withContent.replace(/\/Parent\s*\d+ \d+ R/, `/Parent ${parent} 0 R`)] as const
  switch (target) {
    case 'content':
      return { number: base.content, body: stream(evilDrawing), more: [] }
    case 'page':
      return { number: base.page, body: withContent, more: [content] }
    case 'turn':
      return { number: base.page, body: more('/Rotate 90', without('Rotate')), more: [] }
    case 'size':
      return { number: base.page, body: more('/MediaBox [0 0 300 300]', without('MediaBox')), more: [] }
    case 'pages':
      return {
        number: base.pages,
        body: `<< /Type /Pages /Kids [${unused + 1} 0 R] /Count 1 >>`,
        more: [content, evilPage(base.pages)],
      }
    case 'catalog':
      return {
        number: base.catalog,
        body: `<< /Type /Catalog /Pages ${unused + 2} 0 R >>`,
        more: [content, evilPage(unused + 2), evilPages],
      }
    case 'font':
      if (!base.font) return { number: base.content, body: stream(evilDrawing), more: [] }
      return {
        number: base.font,
        body: blackened(unused),
        more: [[unused, stream('1000 0 0 0 1000 1000 d1 200 0 500 500 re f')]],
      }
    case 'symbols':
      return { number: base.font ?? base.content, body: base.font ? symbols(base) : stream(evilDrawing), more: [] }
  }
}

/**
 * Codes of two bytes mean nothing in dingbats. For codes of one byte every viewer has them in a design of its own, which
 * cannot be told from other letters: there it is Symbol.
 */
function symbols({ bodies, font }: Base): string {
  const isComposite = bodies.get(font!)!.includes('/Type0')
  return `<< /Type /Font /Subtype /Type1 /BaseFont /${isComposite ? 'ZapfDingbats' : 'Symbol'} >>`
}

/** A font in which every letter is a black square. */
const blackened = (square: number): string =>
  `<< /Type /Font /Subtype /Type3 /FontMatrix [.001 0 0 .001 0 0] /FontBBox [0 0 1000 1000] /CharProcs << /b ${square} 0 R >> ` +
  `/Encoding << /Type /Encoding /Differences [0 ${'/b '.repeat(256)}] >> /FirstChar 0 /LastChar 255 ` +
  `/Widths [${'1000 '.repeat(256)}] /Resources << >> >>`
