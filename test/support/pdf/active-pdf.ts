/** Orders that can do more than show their pages, one of each kind, and whether a PDF still can. */
import { PDFDict, PDFDocument, PDFName, PDFString } from 'pdf-lib'
import type { ActiveContent } from '../../../lib/pdf/prepare/active-content.ts'

/** As Base64, one page. */
export async function activePdf(...kinds: ActiveContent[]): Promise<string> {
  const doc = await PDFDocument.create()
  doc.addPage([612, 792]).drawText('Order: morphine 5 mg', { x: 72, y: 700, size: 12 })
  for (const kind of kinds) await add[kind](doc)
  return Buffer.from(await doc.save({ useObjectStreams: false })).toString('base64')
}

const add: Readonly<Record<ActiveContent, (doc: PDFDocument) => unknown>> = {
  javaScript: (doc) => doc.addJavaScript('greet', 'app.alert("canary-script")'),
  openAction: (doc) =>
    doc.catalog.set(
      PDFName.of('OpenAction'),
      doc.context.obj({ S: 'URI', URI: PDFString.of('https://canary.example.org/opened') }),
    ),
  embeddedFiles: (doc) =>
    doc.attach(Buffer.from('canary-file'), 'canary-file.txt', {
      creationDate: new Date('2026-01-15T09:30:00Z'),
      modificationDate: new Date('2026-01-15T09:30:00Z'),
    }),
}

/** What is left in a PDF, by its own Catalog, and whether anything of it still lies in the file. */
export async function activeContentIn(pdf: Buffer): Promise<{ kinds: ActiveContent[]; hasRemains: boolean }> {
  const { catalog } = await PDFDocument.load(pdf, { updateMetadata: false })
  const names = catalog.lookupMaybe(PDFName.of('Names'), PDFDict)
  const has: Readonly<Record<ActiveContent, boolean>> = {
    javaScript: names?.has(PDFName.of('JavaScript')) ?? false,
    openAction: catalog.has(PDFName.of('OpenAction')),
    embeddedFiles: names?.has(PDFName.of('EmbeddedFiles')) ?? false,
  }
  const kinds = (Object.keys(has) as ActiveContent[]).filter((kind) => has[kind])
  return { kinds, hasRemains: /canary|63616E617279|EmbeddedFile\b/i.test(pdf.toString('latin1')) }
}
