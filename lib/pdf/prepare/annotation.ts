/** The annotations of a page as the reader of the pages takes them: which are shown, and with which appearance. */
import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFObject, type PDFPage, PDFRef, PDFStream } from 'pdf-lib'
import { nameText } from '../guard/survey.ts'
import { elements } from './elements.ts'

export interface Annotation {
  /** The item as the page's list has it. */
  item: PDFObject
  dict: PDFDict
  subtype: string
  isShown: boolean
  /** The stream that draws it, when it has one of its own. */
  appearance: PDFRef | null
  /** Corners in user space, sorted. */
  rect: readonly [x0: number, y0: number, x1: number, y1: number]
}

/** Kinds that carry a file, sound, film, or a body in space. */
export const MEDIA: ReadonlySet<string> = new Set(['FileAttachment', 'Sound', 'Movie', 'Screen', 'RichMedia', '3D'])

export function annotationsOf({ node }: PDFPage): Annotation[] {
  const annots = node.lookup(PDFName.of('Annots'))
  if (!(annots instanceof PDFArray)) return []
  return annots.asArray().flatMap((item) => {
    const dict = node.context.lookup(item)
    return dict instanceof PDFDict ? [annotation(item, dict)] : []
  })
}

function annotation(item: PDFObject, dict: PDFDict): Annotation {
  const subtype = nameText(dict.lookup(PDFName.of('Subtype')))
  const flags = dict.lookup(PDFName.of('F'))
  return {
    item,
    dict,
    subtype,
    isShown: isShown(subtype, flags instanceof PDFNumber ? flags.asNumber() : 0),
    appearance: appearanceOf(dict),
    rect: rectOf(dict),
  }
}

const INVISIBLE = 1
const HIDDEN = 2
const NO_VIEW = 32

/** Invisible is about kinds that a reader does not know. */
const isShown = (subtype: string, flags: number): boolean =>
  (flags & (HIDDEN | NO_VIEW)) === 0 && ((flags & INVISIBLE) === 0 || KNOWN.has(subtype))

const KNOWN = new Set(
  'Link Text Widget Popup FreeText Line Square Circle PolyLine Polygon Caret Ink Highlight Underline Squiggly StrikeOut Stamp FileAttachment RichMedia Screen Sound'.split(
    ' ',
  ),
)

function appearanceOf(dict: PDFDict): PDFRef | null {
  const appearances = dict.lookup(PDFName.of('AP'))
  if (!(appearances instanceof PDFDict)) return null
  const normal = appearances.lookup(PDFName.of('N'))
  const states = normal instanceof PDFDict ? normal : null
  const found = states ? states.get(PDFName.of(stateOf(dict, states))) : appearances.get(PDFName.of('N'))
  return found instanceof PDFRef && dict.context.lookup(found) instanceof PDFStream ? found : null
}

/** The state that is shown: what /AS says, else what the value of the field says, as for a box that is checked. */
function stateOf(dict: PDFDict, states: PDFDict): string {
  const state = dict.lookup(PDFName.of('AS'))
  if (state instanceof PDFName) return state.decodeText()
  const value = inherited(dict, 'V')
  return value instanceof PDFName && states.has(value) ? value.decodeText() : 'Off'
}

const MAX_DEPTH = 32

/** An entry of a field, or of the closest field above it that has one. */
export function inherited(dict: PDFDict, key: string): PDFObject | undefined {
  let field: PDFObject | undefined = dict
  for (let depth = 0; depth < MAX_DEPTH && field instanceof PDFDict; depth++) {
    const value = field.lookup(PDFName.of(key))
    if (value !== undefined) return value
    field = field.lookup(PDFName.of('Parent'))
  }
  return undefined
}

function rectOf(dict: PDFDict): Annotation['rect'] {
  const [x0, y0, x1, y1] = numbers(dict.lookup(PDFName.of('Rect')), [0, 0, 0, 0])
  return [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)]
}

/** The numbers of an array of just as many, else the fallback. */
export function numbers<T extends readonly number[]>(value: PDFObject | undefined, fallback: T): T {
  const found = elements(value)
  if (found.length !== fallback.length || !found.every((item) => item instanceof PDFNumber)) return fallback
  return found.map((item) => item.asNumber()) as unknown as T
}
