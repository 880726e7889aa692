/**
 * What a page consists of, as the reader of the pages lists it: each operator with its operands as text. Fonts, patterns and
 * the like are named by what they are, not by the number under which a document happens to hold them. Pictures are not read.
 */
import { createHash } from 'node:crypto'
import { contentOperators, operatorsOfPage, type ReaderPage } from './content-reader.ts'

export interface PageContent {
  /** What the page itself draws. */
  operators: readonly string[]
  /** What its annotations draw on top of it. */
  overlay: readonly string[]
  /** What its annotations are. */
  annotations: string
}

export async function contentOf(page: ReaderPage): Promise<PageContent> {
  const { operators, operands } = await operatorsOfPage(page, { withAnnotations: true })
  const named = namer(page)
  // Dependencies announce what is needed, in an order that means nothing.
  const listed = [...operators.keys()].filter((i) => operators[i] !== contentOperators.dependency)
  // What the reader adds to close a page has an empty list where others have none.
  const lines = listed.map((i) => `${operators[i]} ${written(operands[i] ?? [], named)}`)
  const split = overlayStart(listed.map((i) => operators[i]!))
  return {
    operators: lines.slice(0, split),
    overlay: lines.slice(split),
    annotations: written(await page.getAnnotations({ intent: 'display' }), named),
  }
}

/** The reader lists annotations last; one that belongs to a layer begins with the layer. */
function overlayStart(operators: readonly number[]): number {
  const first = operators.indexOf(contentOperators.beginAnnotation)
  if (first < 0) return operators.length
  return operators[first - 1] === contentOperators.beginMarkedContentProps ? first - 1 : first
}

/** Returns a digest of what the reader keeps under this name beside the operators; null for a text that is no such name. */
type Named = (text: string) => string | null

function namer({ commonObjs, objs }: ReaderPage): Named {
  const known = new Map<string, string>()
  return (text) => {
    if (!/^(?:g_d\d+_|(?:img|pattern|mask|group)_)/.test(text)) return null
    const found = known.get(text)
    if (found !== undefined) return found
    const store = text.startsWith('g_') ? commonObjs : objs
    const object: unknown = store.has(text) ? store.get(text) : null
    // Set first, so that an object that leads to itself ends here.
    known.set(text, '')
    const digest = createHash('sha256')
      .update(described(object, (name) => known.get(name) ?? null))
      .digest('hex')
    known.set(text, digest)
    return digest
  }
}

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

function described(object: unknown, named: Named): string {
  if (!isFont(object)) return written(object, named)
  const { name, data, isType3Font, vertical, fontMatrix, bbox, charProcOperatorList } = object
  const program = data ? createHash('sha256').update(data).digest('hex') : null
  return written([name, program, isType3Font, vertical, fontMatrix, bbox, charProcOperatorList], () => null)
}

function written(value: unknown, named: Named): string {
  if (typeof value === 'string') return named(value) ?? JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map((item) => written(item, named)).join()}]`
  if (ArrayBuffer.isView(value)) return `[${(value as Float32Array).join()}]`
  if (value instanceof ArrayBuffer) return `[${new Uint8Array(value).join()}]`
  if (value instanceof Map || value instanceof Set) return written([...value], named)
  let entries = ''
  for (const [key, item] of Object.entries(value)) {
    if (typeof item !== 'function') entries += `${key}:${written(item, named)},`
  }
  return `{${entries}}`
}
