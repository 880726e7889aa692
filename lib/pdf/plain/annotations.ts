/**
 * The annotations of a plain document. They draw nothing, apart from the signatures of others, which stay as they are: their
 * appearances are forms within the grammar, drawn into their rectangles.
 */
import { PDFDict, type PDFPage, PDFRawStream } from 'pdf-lib'
import { identity, type Matrix, multiply } from '../matrix.ts'
import { type Annotation, annotationsOf, MEDIA } from '../prepare/annotation.ts'
import { placement } from '../prepare/draw-appearances.ts'
import { elements } from '../prepare/elements.ts'
import { type Checked, checkForm } from './content.ts'
import { dictIn, entry, numberIn, numbersIn } from './entries.ts'
import { NotPlain } from './not-plain.ts'
import { isUpright } from './shapes.ts'
import { onNewPage } from './state.ts'

const PROBLEM = 'notes or markings on its pages that viewers draw differently'

/** Throws a `NotPlain` or a `SyntaxProblem` at what is outside of the grammar. */
export function checkAnnotations(page: PDFPage, checked: Checked): void {
  const annotations = annotationsOf(page)
  // What is not a dictionary may be one for a viewer that repairs it.
  if (annotations.length !== elements(page.node.Annots()).length) throw new NotPlain(PROBLEM)
  for (const annotation of annotations) checkAnnotation(annotation, checked)
}

function checkAnnotation({ dict, subtype, isShown, rect }: Annotation, checked: Checked): void {
  const isDrawn = isShown && rect[0] < rect[2] && rect[1] < rect[3]
  // A link has no border and no appearance once it is prepared.
  if (subtype === 'Link' && entry(dict, 'AP') === undefined) return
  if ((MEDIA.has(subtype) || subtype === 'Widget') && !isDrawn) return
  if (subtype !== 'Widget') throw new NotPlain(PROBLEM)
  const appearances = entry(dict, 'AP')
  if (appearances === undefined) return
  const appearance = appearances instanceof PDFDict ? entry(appearances, 'N') : null
  const flags = numberIn(dict, 'F') ?? 0
  const isPlaced = numbersIn(dict, 'Rect', 4) && (flags & (NO_ZOOM | NO_ROTATE)) === 0 && !dictIn(dict, 'OC')
  if (!(appearance instanceof PDFRawStream) || !isPlaced) throw new NotPlain(PROBLEM)
  const matrix = placement(appearance.dict, rect)
  const own = numbersIn(appearance.dict, 'Matrix', 6)
  // pdf.js draws what lies outside of a slanted frame.
  if (!isUpright(multiply(matrix, (own ?? identity) as Matrix))) throw new NotPlain(PROBLEM)
  checkForm(appearance, { ...onNewPage, matrix }, checked)
}

/** ISO 32000-1, table 165. */
const [NO_ZOOM, NO_ROTATE] = [8, 16]
