/**
 * How often the forms of a document draw each other. A few hundred bytes can ask for billions of drawings: ten levels, each of
 * which draws the next ten times. That is told here by counting, without drawing; what is costly in other ways meets the time
 * limit of the job.
 */
import { decodePDFRawStream, PDFDict, type PDFDocument, PDFName, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PdfLimits } from './limits.ts'
import { nameText } from './survey.ts'

/**
 * Returns what is wrong, or null. Runs after the budget of the streams was checked, because it decodes them. Forms that borrow
 * the resources of their page are not followed.
 */
export function nestedDrawingsProblem(doc: PDFDocument, { maxNestedDrawings }: PdfLimits): string | null {
  const { context } = doc
  const counted = new Map<string, number>()

  /** All that drawing this form once draws in turn; 0 for one that is being counted, since readers end circles. */
  function drawingsOf(ref: PDFRef, form: PDFRawStream): number {
    const known = counted.get(ref.toString())
    if (known !== undefined) return known
    counted.set(ref.toString(), 0)
    const nested = nestedForms(form)
    let sum = 0
    if (nested.size > 0) {
      for (const name of drawnNames(form)) {
        const next = nested.get(name)
        if (next) sum += 1 + drawingsOf(...next)
        if (sum > maxNestedDrawings) break
      }
    }
    counted.set(ref.toString(), sum)
    return sum
  }

  function nestedForms(form: PDFRawStream): Map<string, [PDFRef, PDFRawStream]> {
    const nested = new Map<string, [PDFRef, PDFRawStream]>()
    const resources = context.lookup(form.dict.get(PDFName.of('Resources')))
    const objects = resources instanceof PDFDict ? context.lookup(resources.get(PDFName.of('XObject'))) : undefined
    if (!(objects instanceof PDFDict)) return nested
    for (const [name, ref] of objects.entries()) {
      const object = context.lookup(ref)
      if (ref instanceof PDFRef && isForm(object)) nested.set(nameText(name), [ref, object])
    }
    return nested
  }

  const isForm = (object: unknown): object is PDFRawStream =>
    object instanceof PDFRawStream && nameText(context.lookup(object.dict.get(PDFName.of('Subtype')))) === 'Form'

  for (const [ref, object] of context.enumerateIndirectObjects()) {
    if (isForm(object) && drawingsOf(ref, object) > maxNestedDrawings) {
      return `draws parts of its pages inside each other more than ${maxNestedDrawings} times; print it to PDF again`
    }
  }
  return null
}

/** The names that the content draws, once for each time. */
function* drawnNames(form: PDFRawStream): Generator<string> {
  for (const [, name] of textOf(form).matchAll(/\/([^\s/<>[\](){}%]+)\s+Do\b/g)) yield PDFName.of(name!).decodeText()
}

/** Returns the content; empty when it is damaged: finding that is left to the readers. */
function textOf(form: PDFRawStream): string {
  try {
    return Buffer.from(decodePDFRawStream(form).decode()).toString('latin1')
  } catch {
    return ''
  }
}
