/** Finds what a document can do besides showing its pages, wherever it may be, and how each piece is taken out. */
import { PDFArray, PDFDict, type PDFDocument, PDFHexString, PDFName, type PDFObject, PDFString } from 'pdf-lib'
import { nameText } from '../guard/survey.ts'
import type { ActiveContent } from './active-content.ts'
import { elements } from './elements.ts'
import { reachableDictionaries } from './reachable.ts'

export interface ActivePiece {
  /** More than one where several settings have a say: a script that runs on opening. */
  kinds: readonly ActiveContent[]
  remove(): void
}

/** Leaves annotations that carry files to `flatten.ts`, because they may show something too. */
export function findActiveContent(doc: PDFDocument): ActivePiece[] {
  const pieces = [...inCatalog(doc)]
  for (const dict of reachableDictionaries(doc)) {
    if (dict.has(PDFName.of('AA'))) pieces.push(entry(dict, 'AA', 'javaScript'))
    for (const key of ['A', 'PA', 'Next']) {
      const kinds = kindsOf(dict.lookup(PDFName.of(key)))
      if (kinds.length > 0) pieces.push(entry(dict, key, ...kinds))
    }
    for (const key of ['AF', 'EF']) if (dict.has(PDFName.of(key))) pieces.push(entry(dict, key, 'embeddedFiles'))
  }
  return pieces
}

function* inCatalog({ catalog }: PDFDocument): Generator<ActivePiece> {
  const names = catalog.lookup(PDFName.of('Names'))
  if (names instanceof PDFDict) {
    if (names.has(PDFName.of('JavaScript'))) yield entry(names, 'JavaScript', 'javaScript')
    if (names.has(PDFName.of('EmbeddedFiles'))) yield entry(names, 'EmbeddedFiles', 'embeddedFiles')
  }
  // A collection is shown instead of the pages.
  if (catalog.has(PDFName.of('Collection'))) yield entry(catalog, 'Collection', 'embeddedFiles')
  const opening = catalog.lookup(PDFName.of('OpenAction'))
  if (opening instanceof PDFDict && !isMove(opening))
    yield entry(catalog, 'OpenAction', 'openAction', ...kindsOf(opening))
}

/** Goes to a place in the document, and does nothing afterwards. A web page is another matter: no one has chosen to open it. */
function isMove(action: PDFDict): boolean {
  return nameText(action.lookup(PDFName.of('S'))) === 'GoTo' && !action.has(PDFName.of('Next'))
}

const entry = (dict: PDFDict, key: string, ...kinds: ActiveContent[]): ActivePiece => ({
  kinds,
  remove: () => void dict.delete(PDFName.of(key)),
})

const WITH_FILES = new Set(['GoToE', 'Rendition', 'Sound', 'Movie', 'GoTo3DView', 'RichMediaExecute'])
const SAFE_ADDRESS = /^(?:https?|mailto|tel):/i

/** Of an action, or of several. A place in the document is none, and a link to a web page or a person does nothing by itself. */
function kindsOf(value: PDFObject | undefined): ActiveContent[] {
  if (value instanceof PDFArray) return [...new Set(elements(value).flatMap(kindsOf))]
  if (!(value instanceof PDFDict)) return []
  const action = nameText(value.lookup(PDFName.of('S')))
  if (action === '' || action === 'GoTo' || (action === 'URI' && isSafe(value))) return []
  return [WITH_FILES.has(action) ? 'embeddedFiles' : 'javaScript']
}

function isSafe(action: PDFDict): boolean {
  const address = action.lookup(PDFName.of('URI'))
  return (address instanceof PDFString || address instanceof PDFHexString) && SAFE_ADDRESS.test(address.decodeText())
}
