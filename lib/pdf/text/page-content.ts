/** The contents of a page as the reader of the pages lists them. Pictures are not read. */
import { contentOperators, operatorsOfPage, type ReaderPage } from './content-reader.ts'

export interface PageContent {
  /** The operations of the page itself. */
  operations: readonly Operation[]
  /** The operations of its annotations, drawn on top. */
  overlay: readonly Operation[]
  /** Its annotations as the file describes them. */
  annotations: readonly unknown[]
  /**
   * Returns what the reader keeps under this name alongside the operations, for as long as the page is not cleaned up; null for a text
   * that is no such name.
   */
  named(text: string): unknown
}

export interface Operation {
  operator: number
  operands: unknown
}

export async function contentOf(page: ReaderPage): Promise<PageContent> {
  const { operators, operands } = await operatorsOfPage(page, { withAnnotations: true })
  const operations: Operation[] = []
  for (const [i, operator] of operators.entries()) {
    // Dependencies announce what is needed, in an order that means nothing.
    if (operator === contentOperators.dependency) continue
    // The operators that the reader adds to close a page have an empty list where others have none.
    operations.push({ operator, operands: operands[i] ?? [] })
  }
  const split = overlayStart(operations)
  const { commonObjs, objs } = page
  return {
    operations: operations.slice(0, split),
    overlay: operations.slice(split),
    annotations: (await page.getAnnotations({ intent: 'display' })).map(asInTheFile),
    named(text) {
      if (!NAME.test(text)) return null
      const store = text.startsWith('g_') ? commonObjs : objs
      return store.has(text) ? (store.get(text) as unknown) : null
    },
  }
}

/** The reader adds the text that lies below a link, which is part of the page: ink on a link would make it another link. */
const asInTheFile = ({ overlaidText: _, ...annotation }: Record<string, unknown>): unknown => annotation

const NAME = /^(?:g_d\d+_|(?:img|pattern|mask|group)_)/

/** The reader lists annotations last; one that belongs to a layer begins with the layer. */
function overlayStart(operations: readonly Operation[]): number {
  const first = operations.findIndex(({ operator }) => operator === contentOperators.beginAnnotation)
  if (first < 0) return operations.length
  return operations[first - 1]?.operator === contentOperators.beginMarkedContentProps ? first - 1 : first
}
