/** Makes annotations part of their page: draws the appearance of each where the reader of the pages shows it. */
import {
  concatTransformationMatrix,
  drawObject,
  PDFDict,
  PDFName,
  type PDFPage,
  PDFRawStream,
  type PDFRef,
  popGraphicsState,
  pushGraphicsState,
} from 'pdf-lib'
import { apply, type Matrix } from '../matrix.ts'
import { type Annotation, numbers } from './annotation.ts'
import { isolateContent } from './isolate-content.ts'

export function drawAppearances(page: PDFPage, annotations: readonly Annotation[]): void {
  const drawn = annotations.flatMap((annotation) => {
    const form = formOf(annotation)
    return form ? [{ form, matrix: placement(form.stream.dict, annotation.rect) }] : []
  })
  if (drawn.length === 0) return
  isolateContent(page)
  ownResources(page)
  for (const { form, matrix } of drawn) {
    const name = page.node.newXObject('Flattened', form.ref)
    page.pushOperators(pushGraphicsState(), concatTransformationMatrix(...matrix), drawObject(name), popGraphicsState())
  }
}

interface Form {
  ref: PDFRef
  stream: PDFRawStream
}

/** The appearance as a form that content can draw. One that belongs to a layer keeps it; the stream may be another's too. */
function formOf({ dict, appearance, rect }: Annotation): Form | null {
  const { context } = dict
  const stream = appearance && context.lookup(appearance)
  const [x0, y0, x1, y1] = rect
  if (!(stream instanceof PDFRawStream) || x1 <= x0 || y1 <= y0) return null
  const form = PDFRawStream.of(stream.dict.clone(), stream.getContents())
  form.dict.set(PDFName.of('Type'), PDFName.of('XObject'))
  form.dict.set(PDFName.of('Subtype'), PDFName.of('Form'))
  if (!form.dict.has(PDFName.of('BBox'))) form.dict.set(PDFName.of('BBox'), context.obj([0, 0, x1 - x0, y1 - y0]))
  // Without any of its own it would take those of the page, where an annotation has none.
  if (!form.dict.has(PDFName.of('Resources'))) form.dict.set(PDFName.of('Resources'), context.obj({}))
  const layer = dict.get(PDFName.of('OC'))
  if (layer) form.dict.set(PDFName.of('OC'), layer)
  return { ref: context.register(form), stream: form }
}

/** Resources may be inherited or shared; names that are added for one page belong to it alone. */
function ownResources({ node }: PDFPage): void {
  const resources = node.Resources()?.clone() ?? PDFDict.withContext(node.context)
  const objects = resources.lookup(PDFName.of('XObject'))
  if (objects instanceof PDFDict) resources.set(PDFName.of('XObject'), objects.clone())
  node.set(PDFName.of('Resources'), resources)
}

/**
 * Returns the matrix that maps the box of an appearance, transformed by its own matrix, onto the annotation's rectangle (ISO
 * 32000-1, 12.5.5).
 */
export function placement(form: PDFDict, [x0, y0, x1, y1]: Annotation['rect']): Matrix {
  const [bx0, by0, bx1, by1] = numbers(form.lookup(PDFName.of('BBox')), [0, 0, x1 - x0, y1 - y0] as const)
  const matrix: Matrix = numbers(form.lookup(PDFName.of('Matrix')), [1, 0, 0, 1, 0, 0] as const)
  const corners = [apply(matrix, bx0, by0), apply(matrix, bx1, by0), apply(matrix, bx1, by1), apply(matrix, bx0, by1)]
  const [left, right] = [Math.min(...corners.map(([x]) => x)), Math.max(...corners.map(([x]) => x))]
  const [bottom, top] = [Math.min(...corners.map(([, y]) => y)), Math.max(...corners.map(([, y]) => y))]
  if (left === right || bottom === top) return [1, 0, 0, 1, x0, y0]
  const [sx, sy] = [(x1 - x0) / (right - left), (y1 - y0) / (top - bottom)]
  return [sx, 0, 0, sy, x0 - left * sx, y0 - bottom * sy]
}
