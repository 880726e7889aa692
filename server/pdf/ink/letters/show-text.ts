/** The operators of a PDF that show shaped text. Pure. */
import { endMarkedContent, PDFOperator, PDFOperatorNames, setTextRise } from 'pdf-lib'
import type { EmbeddedFont } from './embedded-font.ts'
import { NOTHING } from './glyph-texts.ts'
import type { PlacedGlyph } from './shape.ts'

/** Returns operators that show the glyphs one after the other, each at its place, and leave the pen behind the last. */
export function showGlyphs(glyphs: readonly PlacedGlyph[], size: number, code: EmbeddedFont['code']): PDFOperator[] {
  const runs: PlacedGlyph[][] = []
  for (const glyph of glyphs) {
    const last = runs.at(-1)
    const first = last?.[0]
    if (last && first?.dy === glyph.dy && isSilent(first) === isSilent(glyph)) last.push(glyph)
    else runs.push([glyph])
  }
  return runs.flatMap((run) => showRun(run, size, code))
}

/** Glyphs of one height, which either all are read or all are not. */
function showRun(run: readonly PlacedGlyph[], size: number, code: EmbeddedFont['code']): PDFOperator[] {
  const { dy } = run[0]!
  let items = ''
  for (const glyph of run) {
    const [before, after] = [rounded(-glyph.dx), rounded(glyph.dx + glyph.width - glyph.advance)]
    items += `${before ? `${before} ` : ''}<${code(glyph)}> ${after ? `${after} ` : ''}`
  }
  const show = PDFOperator.of(PDFOperatorNames.ShowTextAdjusted, [`[${items.trimEnd()}]`])
  const raised = dy === 0 ? [show] : [setTextRise((dy / 1000) * size), show, setTextRise(0)]
  return isSilent(run[0]!) ? [UNREAD, ...raised, endMarkedContent()] : raised
}

const isSilent = ({ text }: PlacedGlyph): boolean => text === NOTHING

/** Readers that know it take no characters from what follows. */
const UNREAD = PDFOperator.of(PDFOperatorNames.BeginMarkedContentSequence, ['/Span', '<< /ActualText () >>'])

/** Finer than a viewer can draw, and short. */
const rounded = (thousandths: number): number => Math.round(thousandths * 100) / 100
