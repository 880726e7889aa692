/** The outlines of the letters of a page, as the reader of the pages has them: what it fills to show text. */
import { contentOperators, operatorsOfPage, type ReaderPage } from '../text/content-reader.ts'

export interface Outline {
  /** Drawing commands of the reader, one em high. */
  commands: ArrayLike<number>
  /** Where the letter is and how large it is, in points from the bottom left of the page. */
  x: number
  y: number
  size: number
  /** Whether it has no width, as a sign above or below another letter. */
  isSign: boolean
}

interface Glyph {
  fontChar: string
  width: number
  isInFont: boolean
  accent?: { fontChar: string; offset: { x: number; y: number } } | null
}

interface Font {
  loadedName: string
  missingFile?: boolean
  isInvalidPDFjsFont?: boolean
  isType3Font?: boolean
  vertical?: boolean
  fontMatrix?: readonly number[]
}

/**
 * For pages whose text is set by `Tf`, `Tm` with a place alone, and `Tj`. Null when the reader has no outlines: the font is
 * not in the file, or cannot be read.
 */
export async function letterOutlines(page: ReaderPage): Promise<Outline[] | null> {
  const { operators, operands } = await operatorsOfPage(page, { withAnnotations: false })
  const outlines: Outline[] = []
  let font: Font | null = null
  let [size, x, y] = [0, 0, 0]
  for (const [i, operator] of operators.entries()) {
    const given = operands[i] as unknown[]
    if (operator === contentOperators.setFont) {
      font = page.commonObjs.get(given[0] as string) as Font
      size = given[1] as number
    } else if (operator === contentOperators.setTextMatrix) {
      const matrix = (typeof given[0] === 'number' ? given : given[0]) as ArrayLike<number>
      x = matrix[4]!
      y = matrix[5]!
    } else if (operator === contentOperators.showText) {
      if (!font || font.missingFile || font.isInvalidPDFjsFont || font.vertical) return null
      for (const glyph of given[0] as (Glyph | number)[]) {
        if (typeof glyph === 'number') continue
        const at = { x, y, size, isSign: glyph.width === 0 }
        if (glyph.isInFont) {
          add(font, glyph.fontChar, at)
          const { accent } = glyph
          if (accent) {
            add(font, accent.fontChar, { ...at, x: x + size * accent.offset.x, y: y + size * accent.offset.y })
          }
        }
        x += glyph.width * (font.fontMatrix?.[0] ?? 0.001) * size
      }
    }
  }
  return outlines

  function add({ loadedName }: Font, letter: string, at: Omit<Outline, 'commands'>): void {
    const name = `${loadedName}_path_${letter}`
    const path = page.commonObjs.has(name) ? (page.commonObjs.get(name) as { path?: ArrayLike<number> }).path : null
    if (path) outlines.push({ ...at, commands: path })
  }
}
