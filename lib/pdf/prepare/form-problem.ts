/** Why a form, or a marking on a page, cannot be taken as it shows: because other viewers would draw it in another way. */
import { type PDFDocument, PDFName, PDFRef } from 'pdf-lib'
import { type Annotation, annotationsOf } from './annotation.ts'
import { formOf, isDrawnAnew, isValueWithoutAppearance, showsItsValue } from './form.ts'

export async function formProblem(doc: PDFDocument): Promise<string | null> {
  const all = doc.getPages().flatMap(annotationsOf)
  const marking = all.find(isWithoutItsDrawing)
  if (marking)
    return `has a marking (${marking.subtype}) without an appearance of its own, so that viewers differ; ${PRINT}`
  const widgets = all.filter(({ subtype }) => subtype === 'Widget')
  if (widgets.some(isValueWithoutAppearance)) {
    return `has a filled-in form field without an appearance, so that viewers differ; ${PRINT}`
  }
  const form = formOf(doc)
  if (!isDrawnAnew(form) || widgets.length === 0) return null
  const texts = await textsAsDrawn(doc)
  const shown = ({ item }: Annotation) => (item instanceof PDFRef ? (texts.get(item.toString()) ?? '') : '')
  return widgets.every((widget) => showsItsValue(widget, shown(widget)))
    ? null
    : `has a form whose fields show something else than they hold, so that viewers differ; ${PRINT}`
}

const PRINT = 'print it to PDF again'

const DRAWN_BY_VIEWERS = new Set(
  'FreeText Line Square Circle PolyLine Polygon Caret Ink Highlight Underline Squiggly StrikeOut Stamp Redact'.split(
    ' ',
  ),
)

/** Kinds that many viewers draw from what the annotation says when it brings no appearance. */
const isWithoutItsDrawing = ({ subtype, isShown, appearance }: Annotation): boolean =>
  isShown && appearance === null && DRAWN_BY_VIEWERS.has(subtype)

/** How a changed document is written: plainly, and with the appearances that it has. */
export const writing = { useObjectStreams: false, objectsPerTick: Infinity, updateFieldAppearances: false }

/** Asked to redraw the fields, the reader ignores their appearances; they are what is to be read here. */
async function textsAsDrawn(doc: PDFDocument): Promise<Map<string, string>> {
  const form = formOf(doc)
  form?.delete(PDFName.of('NeedAppearances'))
  const drawn = await doc.save(writing)
  form?.set(PDFName.of('NeedAppearances'), doc.context.obj(true))
  const { appearanceTexts } = await import('./appearance-texts.ts')
  return appearanceTexts(drawn)
}
