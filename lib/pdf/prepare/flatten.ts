/** Makes everything that is on top of the pages part of them, as it shows, and takes away what does not show. */
import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFPage, PDFRef } from 'pdf-lib'
import type { Treatment } from './active-content.ts'
import { type Annotation, annotationsOf, MEDIA, numbers } from './annotation.ts'
import { drawAppearances } from './draw-appearances.ts'
import { isSignatureField } from './form.ts'
import type { Preparation } from './preparation.ts'

export interface Flattening {
  /** Signature fields stay: someone has signed. */
  isSigned: boolean
  /** The treatment of annotations that carry files, sound or film. */
  embeddedFiles: Treatment
}

export interface Flattened {
  preparations: readonly Preparation[]
  /** Marks of which only a sign was to be seen, for the comparison of the pages. */
  removedMarks: readonly Annotation[]
}

export function flattenPage(page: PDFPage, options: Flattening): Flattened {
  const done = new Set<Preparation>()
  const all = annotationsOf(page)
  const kept = all.filter((annotation) => stays(annotation, options))
  const gone = all.filter((annotation) => !kept.includes(annotation))
  const isDrawn = ({ isShown, appearance }: Annotation) => isShown && appearance !== null
  const links = kept.filter(({ subtype }) => subtype === 'Link')
  const drawn = [...gone.filter((annotation) => isDrawn(annotation) && !isMark(annotation)), ...links.filter(isDrawn)]

  // Widgets are drawn over everything else, as the reader of the pages does.
  const isWidget = ({ subtype }: Annotation) => subtype === 'Widget'
  drawAppearances(page, [...drawn.filter((item) => !isWidget(item)), ...drawn.filter(isWidget)])
  for (const link of links) for (const preparation of plainLink(link)) done.add(preparation)
  for (const annotation of gone) {
    done.add(preparationOf(annotation, drawn.includes(annotation)))
    if (isWidget(annotation) && !annotation.isShown) done.add('hiddenAnnotationsRemoved')
    if (MEDIA.has(annotation.subtype)) done.add('embeddedFilesRemoved')
  }
  if (gone.length > 0) remove(page, gone)
  return { preparations: [...done], removedMarks: gone.filter(isMark) }
}

const MARKS = new Set(['Text', 'Popup', 'FileAttachment', 'Sound'])
/** Only a sign that there is a note or a file; viewers draw it in ways of their own. */
const isMark = ({ subtype }: Annotation): boolean => MARKS.has(subtype)

function stays({ subtype, dict }: Annotation, { isSigned, embeddedFiles }: Flattening): boolean {
  if (subtype === 'Link') return true
  if (subtype === 'Widget') return isSigned && isSignatureField(dict)
  return MEDIA.has(subtype) && embeddedFiles === 'allow'
}

function preparationOf({ subtype }: Annotation, isDrawn: boolean): Preparation {
  if (subtype === 'Widget') return 'formFlattened'
  return isDrawn ? 'annotationsFlattened' : 'hiddenAnnotationsRemoved'
}

/** Some viewers draw a border around a link and some do not; a thin one can strike a word out. */
function plainLink({ dict, appearance, isShown }: Annotation): Preparation[] {
  const done: Preparation[] = []
  if (dict.has(PDFName.of('AP'))) {
    dict.delete(PDFName.of('AP'))
    done.push(isShown && appearance ? 'annotationsFlattened' : 'hiddenAnnotationsRemoved')
  }
  if (hasBorder(dict)) {
    dict.delete(PDFName.of('BS'))
    dict.set(PDFName.of('Border'), dict.context.obj([0, 0, 0]))
    done.push('linkBordersRemoved')
  }
  return done
}

function hasBorder(dict: PDFDict): boolean {
  const style = dict.lookup(PDFName.of('BS'))
  if (style instanceof PDFDict) {
    const width = style.lookup(PDFName.of('W'))
    return !(width instanceof PDFNumber && width.asNumber() === 0)
  }
  const border = dict.lookup(PDFName.of('Border'))
  if (!(border instanceof PDFArray)) return true
  const [, , width] = numbers(dict.context.obj(border.asArray().slice(0, 3)), [0, 0, 1])
  return width !== 0
}

/** Other things may still lead to them, so the objects go too. */
function remove({ node }: PDFPage, gone: readonly Annotation[]): void {
  const items = new Set(gone.map(({ item }) => item))
  const rest = PDFArray.withContext(node.context)
  for (const item of node.lookup(PDFName.of('Annots'), PDFArray).asArray()) if (!items.has(item)) rest.push(item)
  if (rest.size() > 0) node.set(PDFName.of('Annots'), rest)
  else node.delete(PDFName.of('Annots'))
  for (const item of items) if (item instanceof PDFRef) node.context.delete(item)
}
