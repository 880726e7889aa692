/**
 * Prepares a document for its seal: adds an invisible signature field, and a signature dictionary with room for the byte range
 * and the signature, which are only known once the file is written. Signs nothing.
 */
import {
  PDFArray,
  PDFBool,
  type PDFContext,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFPage,
  PDFString,
} from 'pdf-lib'
import { isSigned } from '../../../lib/pdf/prepare/form.ts'
import { SEAL_NAME, SEAL_REASON, SIGNATURE_BYTES, WIDEST_OFFSET } from '../../../lib/pdf/seal/seal-form.ts'
import { type NamedSigner, signerEntries } from '../../../lib/pdf/seal/seal-names.ts'

/**
 * Returns the object number of the signature dictionary, for seal.ts. It is the last object of the file: everything else that the
 * document still has to write comes before it.
 * @param room for the signature, in bytes
 */
export async function addSignaturePlaceholder(
  doc: PDFDocument,
  page: PDFPage,
  signedAt: Date,
  signer: NamedSigner,
  room = SIGNATURE_BYTES,
): Promise<number> {
  const { context, catalog } = doc
  // Fonts get their objects only now, or when the file is written.
  await doc.flush()
  const form = formOf(doc)
  const fields = form.lookupMaybe(PDFName.of('Fields'), PDFArray) ?? (context.obj([]) as PDFArray)
  const isFirst = !isSigned(doc)
  const widget = dictionary(context, {
    Type: PDFName.of('Annot'),
    Subtype: PDFName.of('Widget'),
    FT: PDFName.of('Sig'),
    Rect: context.obj([0, 0, 0, 0]),
    F: PDFNumber.of(132), // print, locked
    T: PDFHexString.fromText(unusedName(context, fields)),
    P: page.ref,
  })
  nameSigner(widget, signer)
  const widgetRef = context.register(widget)
  page.node.addAnnot(widgetRef)
  fields.push(widgetRef)
  form.set(PDFName.of('Fields'), fields)
  form.set(PDFName.of('SigFlags'), PDFNumber.of(3)) // signatures exist, append only
  if (!catalog.has(PDFName.of('AcroForm'))) catalog.set(PDFName.of('AcroForm'), context.register(form))
  const signature = dictionary(context, {
    Type: PDFName.of('Sig'),
    Filter: PDFName.of('Adobe.PPKLite'),
    SubFilter: PDFName.of('ETSI.CAdES.detached'),
    ByteRange: context.obj([0, WIDEST_OFFSET, WIDEST_OFFSET, WIDEST_OFFSET]),
    Contents: PDFHexString.of('0'.repeat(room * 2)),
    M: PDFString.fromDate(signedAt),
    Name: PDFHexString.fromText(SEAL_NAME),
    Reason: PDFHexString.fromText(SEAL_REASON),
  })
  const signatureRef = context.register(signature)
  widget.set(PDFName.of('V'), signatureRef)
  // Only the first signature may certify that nothing changes (ISO 32000-1, 12.8.2.2).
  if (isFirst) certify(doc, signature, signatureRef)
  return signatureRef.objectNumber
}

function certify({ context, catalog }: PDFDocument, signature: PDFDict, signatureRef: PDFObject): void {
  const parameters = dictionary(context, {
    Type: PDFName.of('TransformParams'),
    P: PDFNumber.of(1), // no change at all
    V: PDFName.of('1.2'),
  })
  const reference = dictionary(context, {
    Type: PDFName.of('SigRef'),
    TransformMethod: PDFName.of('DocMDP'),
    TransformParams: parameters,
  })
  signature.set(PDFName.of('Reference'), context.obj([reference]))
  const permissions = catalog.lookupMaybe(PDFName.of('Perms'), PDFDict) ?? dictionary(context, {})
  permissions.set(PDFName.of('DocMDP'), signatureRef)
  catalog.set(PDFName.of('Perms'), permissions)
}

function formOf({ context, catalog }: PDFDocument): PDFDict {
  return catalog.lookupMaybe(PDFName.of('AcroForm'), PDFDict) ?? dictionary(context, {})
}

function nameSigner(field: PDFDict, { name, npi, onBehalfOf, isTest }: NamedSigner): void {
  field.set(PDFName.of(signerEntries.name), PDFHexString.fromText(name))
  field.set(PDFName.of(signerEntries.npi), PDFHexString.fromText(npi))
  if (onBehalfOf) {
    field.set(PDFName.of(signerEntries.ownerName), PDFHexString.fromText(onBehalfOf.name))
    field.set(PDFName.of(signerEntries.ownerNpi), PDFHexString.fromText(onBehalfOf.npi))
  }
  field.set(PDFName.of(signerEntries.isTest), isTest ? PDFBool.True : PDFBool.False)
}

/** These fields and all below them, each once: a hostile tree may lead into itself. */
function fieldDictionaries(context: PDFContext, fields: PDFArray, seen = new Set<PDFDict>()): PDFDict[] {
  return fields.asArray().flatMap((item) => {
    const field = context.lookup(item)
    if (!(field instanceof PDFDict) || seen.has(field)) return []
    seen.add(field)
    const kids = context.lookup(field.get(PDFName.of('Kids')))
    return [field, ...(kids instanceof PDFArray ? fieldDictionaries(context, kids, seen) : [])]
  })
}

function unusedName(context: PDFContext, fields: PDFArray): string {
  const used = new Set(
    fieldDictionaries(context, fields).map((field) => {
      const name = context.lookup(field.get(PDFName.of('T')))
      return name instanceof PDFString || name instanceof PDFHexString ? name.decodeText() : ''
    }),
  )
  for (let number = 1; ; number++) {
    const name = `${SEAL_NAME}-${number}`
    if (!used.has(name)) return name
  }
}

function dictionary(context: PDFContext, entries: Readonly<Record<string, PDFObject>>): PDFDict {
  const result = PDFDict.withContext(context)
  for (const [key, value] of Object.entries(entries)) result.set(PDFName.of(key), value)
  return result
}
