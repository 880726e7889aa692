/** One walk over the dictionaries of a document: which streams its content needs, and whether it wants to start programs. */
import { PDFArray, PDFDict, type PDFDocument, PDFName, type PDFObject, PDFRawStream, PDFRef } from 'pdf-lib'

export interface DocumentSurvey {
  /** Streams that a reader of content decodes, whatever the stream says of itself; written as `5 0 R`. */
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
  const { context } = doc
  const readStreams = new Set<string>()
  let hasLaunchAction = false

  const note = (value: PDFObject | undefined, depth: number): void => {
    let target = value
    if (target instanceof PDFRef) {
      readStreams.add(target.toString())
      target = context.lookup(target)
    }
    if (depth < 2 && target instanceof PDFArray) for (const item of target.asArray()) note(item, depth + 1)
    if (depth < 1 && target instanceof PDFDict) {
      for (const [, item] of target.entries()) if (item instanceof PDFRef) note(item, 2)
    }
  }
  const walk = (value: PDFObject, depth: number): void => {
    if (depth > MAX_DEPTH) return
    if (value instanceof PDFDict) {
      // A structure element may carry any name of its author's choice in /S, so /K tells it from an action.
      const action = nameText(context.lookup(value.get(PDFName.of('S'))))
      if (action === 'Launch' && !value.has(PDFName.of('K'))) hasLaunchAction = true
      for (const [key, item] of value.entries()) {
        if (CONTENT_ENTRIES.has(nameText(key))) note(item, 0)
        walk(item, depth + 1)
      }
    } else if (value instanceof PDFArray) {
      for (const item of value.asArray()) walk(item, depth + 1)
    }
  }
  for (const [, object] of context.enumerateIndirectObjects()) {
    walk(object instanceof PDFRawStream ? object.dict : object, 0)
  }
  return { readStreams, hasLaunchAction, isDynamicXfa: isDynamicXfa(doc) }
}

export const nameText = (value: PDFObject | undefined): string => (value instanceof PDFName ? value.decodeText() : '')

export const items = (value: PDFObject | undefined): PDFObject[] => (value instanceof PDFArray ? value.asArray() : [])

function isDynamicXfa({ catalog, context }: PDFDocument): boolean {
  const form = context.lookup(catalog.get(PDFName.of('AcroForm')))
  if (!(form instanceof PDFDict) || !form.has(PDFName.of('XFA'))) return false
  const needsRendering = context.lookup(catalog.get(PDFName.of('NeedsRendering')))?.toString() === 'true'
  return needsRendering
}
