/** One walk over the dictionaries of a document: which streams its content needs, and whether it wants to start programs. */
import {
  PDFArray,
  PDFBool,
  type PDFContext,
  PDFDict,
  type PDFDocument,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFRef,
} from 'pdf-lib'

export interface DocumentSurvey {
  /** Streams that a reader of content decodes, regardless of what the stream says of itself; written as `5 0 R`. */
  readStreams: ReadonlySet<string>
  hasLaunchAction: boolean
  /** A form that only an XFA processor can show: the page of such a PDF says "please wait". */
  isDynamicXfa: boolean
}

/** Entries whose streams are content or fonts, even where the stream calls itself an image. */
const CONTENT_ENTRIES = new Set([
  'Contents',
  'ToUnicode',
  'Encoding',
  'UseCMap',
  'FontFile',
  'FontFile2',
  'FontFile3',
  'CIDToGIDMap',
  'Function',
  'Functions',
  'CharProcs',
  'Metadata',
])
const MAX_DEPTH = 20

export function surveyDocument(doc: PDFDocument): DocumentSurvey {
  const found: Found = { readStreams: new Set(), hasLaunchAction: false }
  for (const [, object] of doc.context.enumerateIndirectObjects()) {
    walk(object instanceof PDFRawStream ? object.dict : object, doc.context, found, 0)
  }
  return { ...found, isDynamicXfa: isDynamicXfa(doc) }
}

interface Found {
  readStreams: Set<string>
  hasLaunchAction: boolean
}

function walk(value: PDFObject, context: PDFContext, found: Found, depth: number): void {
  if (depth > MAX_DEPTH) return
  if (value instanceof PDFArray) for (const item of value.asArray()) walk(item, context, found, depth + 1)
  if (!(value instanceof PDFDict)) return
  // A structure element may carry any name of its author's choice in /S, so /K tells it from an action.
  const action = nameText(context.lookup(value.get(PDFName.of('S'))))
  if (action === 'Launch' && !value.has(PDFName.of('K'))) found.hasLaunchAction = true
  for (const [key, item] of value.entries()) {
    if (CONTENT_ENTRIES.has(nameText(key))) addStreams(item, context, found.readStreams, 0)
    walk(item, context, found, depth + 1)
  }
}

/** Adds the references of an entry: its own, and those in its arrays, which may hold arrays, or in its dictionary. */
function addStreams(value: PDFObject | undefined, context: PDFContext, streams: Set<string>, depth: number): void {
  let target = value
  if (target instanceof PDFRef) {
    streams.add(target.toString())
    target = context.lookup(target)
  }
  if (depth < 2 && target instanceof PDFArray) {
    for (const item of target.asArray()) addStreams(item, context, streams, depth + 1)
  }
  if (depth < 1 && target instanceof PDFDict) {
    for (const [, item] of target.entries()) if (item instanceof PDFRef) addStreams(item, context, streams, 2)
  }
}

/** Returns the text of a name; empty for anything else. */
export const nameText = (value: PDFObject | undefined): string => (value instanceof PDFName ? value.decodeText() : '')

/** Returns the items of an array as they are; none for anything else. */
export const items = (value: PDFObject | undefined): PDFObject[] => (value instanceof PDFArray ? value.asArray() : [])

function isDynamicXfa({ catalog, context }: PDFDocument): boolean {
  const form = context.lookup(catalog.get(PDFName.of('AcroForm')))
  if (!(form instanceof PDFDict) || !form.has(PDFName.of('XFA'))) return false
  return context.lookup(catalog.get(PDFName.of('NeedsRendering'))) === PDFBool.True
}
