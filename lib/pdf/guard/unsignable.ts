/** Documents that cannot be signed although all readers agree on their pages. */
import { PDFArray, PDFDict, type PDFDocument, PDFName } from 'pdf-lib'
import { nameText } from './survey.ts'

/** Returns what is wrong, as a clause about the document, or null. */
export function unsignableProblem({ catalog, context }: PDFDocument): string | null {
  const permissions = context.lookup(catalog.get(PDFName.of('Perms')))
  if (permissions instanceof PDFDict && permissions.has(PDFName.of('DocMDP'))) return CERTIFIED
  return isWrapper(catalog) ? WRAPPER : null
}

const CERTIFIED =
  'is certified by another signer, who allows no signature to be drawn on its pages; send it as it was before it was certified, or print it to PDF'

export const WRAPPER =
  'is a portfolio or an envelope: its page is a cover, and the document is a file in it; send that file instead'

/** Whether the pages are only the cover of files within the document. ISO 32000-2, 7.6.7 and 12.3.5. */
function isWrapper(catalog: PDFDict): boolean {
  if (catalog.lookup(PDFName.of('Collection')) instanceof PDFDict) return hasFiles(catalog)
  const associated = catalog.lookup(PDFName.of('AF'))
  const files = associated instanceof PDFArray ? associated.asArray() : []
  return files.some((item) => {
    const file = catalog.context.lookup(item)
    return file instanceof PDFDict && nameText(file.lookup(PDFName.of('AFRelationship'))) === 'EncryptedPayload'
  })
}

function hasFiles(catalog: PDFDict): boolean {
  const names = catalog.lookup(PDFName.of('Names'))
  return names instanceof PDFDict && names.lookup(PDFName.of('EmbeddedFiles')) instanceof PDFDict
}
