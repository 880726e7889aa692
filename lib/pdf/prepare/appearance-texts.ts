/** Reads the text of a document's annotations as the reader of the pages draws them. Meant for a worker thread. */
import { contentOperators, operatorsOfPage, withContent } from '../text/content-reader.ts'
import type { OperatorList } from '../text/glyphs/operator-list.ts'

/** Returns the text of each annotation that draws something, by its object as in `12 0 R`. */
export async function appearanceTexts(pdf: Uint8Array): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  await withContent(pdf, async (doc) => {
    for (let number = 1; number <= doc.numPages; number++) {
      const page = await doc.getPage(number)
      addTexts(await operatorsOfPage(page, { withAnnotations: true }), texts)
      page.cleanup()
    }
  })
  return texts
}

const SHOWING = new Set([
  contentOperators.showText,
  contentOperators.showSpacedText,
  contentOperators.nextLineShowText,
  contentOperators.nextLineSetSpacingShowText,
])

function addTexts({ operators, operands }: OperatorList, texts: Map<string, string>): void {
  let current: string | null = null
  operators.forEach((operator, i) => {
    const list = (operands[i] ?? []) as unknown[]
    if (operator === contentOperators.beginAnnotation) {
      current = objectOf(String(list[0]))
      texts.set(current, '')
    } else if (operator === contentOperators.endAnnotation) current = null
    else if (current !== null && SHOWING.has(operator)) {
      texts.set(current, texts.get(current) + list.flat().map(textOf).join(''))
    }
  })
}

/** The reader writes 12R for 12 0 R, and 12R3 for 12 3 R. */
const objectOf = (id: string): string =>
  id.replace(/^(\d+)R(\d*)$/, (_, number, generation) => `${number} ${generation || 0} R`)

const textOf = (glyph: unknown): string =>
  typeof glyph === 'object' && glyph !== null && 'unicode' in glyph ? String(glyph.unicode) : ''
