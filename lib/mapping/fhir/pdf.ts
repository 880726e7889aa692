/** The PDF of an order in FHIR: in the DocumentReference, or in a Binary alongside it. Nothing is fetched. Pure. */
import { createHash } from 'node:crypto'
import type { Placed } from '../findings.ts'
import { bytesIn, NOT_A_PDF, pdfInBase64 } from '../whole-pdf.ts'
import type { Order } from './order.ts'
import type { Reading } from './reading.ts'
import { Binary } from './resources.ts'

/** Returns the PDF as Base64. Holds the message when there is none, or when it is ambiguous. */
export function pdfOf(order: Order, reading: Reading): string {
  const { map, findings } = reading
  const found = order.documents.flatMap((document) => pdfsIn(document, reading))
  const [first] = found
  if (first === undefined) {
    findings.hold('content', 'has no PDF')
    return ''
  }
  if (found.length > 1 && map.pdf === 'hold') {
    findings.hold('content', `holds ${found.length} PDFs; set pdf in the map to choose one`)
    return ''
  }
  const chosen = map.pdf === 'last' ? found.at(-1)! : first
  findings.from('document.attachment', chosen.place)
  return chosen.value
}

function pdfsIn({ place, document, owner }: Order['documents'][number], reading: Reading): Placed<string>[] {
  const { collection, findings } = reading
  return document.content.flatMap(({ attachment }, index) => {
    const { contentType, data, url } = attachment
    if (!canBePdf(attachment)) return []
    const at = `${place}.content[${index}].attachment`
    const reference = { reference: url }
    const isElsewhere = url !== undefined && url !== '' && !isDataUrl(url)
    // Where the PDF is in the attachment as well, nothing is read for it.
    const isRead = isElsewhere && (data === undefined || collection.find(reference, owner) !== undefined)
    const binary = isRead ? collection.resolve(reference, `${at}.url`, Binary, owner, findings) : null
    if (data !== undefined && binary?.data !== undefined && !bytesIn(data).equals(bytesIn(binary.data)))
      findings.hold(at, 'holds another document than its url refers to')
    const text = data ?? binary?.data ?? (url && isDataUrl(url) ? url : '')
    if (text.trim() === '') {
      if (contentType !== undefined && (!isRead || binary !== null))
        findings.hold(at, 'is declared a PDF, and is empty')
      return []
    }
    const pdf = pdfInBase64(text)
    const reason = pdf.ok ? mismatchOf(attachment, text) : pdf.reason
    if (pdf.ok && reason === null) return [{ place: binary ? `${at}.url.resolve()` : at, value: pdf.base64 }]
    findings.hold(at, reason === NOT_A_PDF ? 'is declared a PDF but is not one' : (reason ?? NOT_A_PDF))
    return []
  })
}

/** Whether an attachment is, by its type, a PDF, or says nothing of its type. */
export const canBePdf = ({ contentType }: { contentType?: string | undefined }): boolean =>
  contentType === undefined || /^application\/pdf\s*(;|$)/i.test(contentType.trim())

const isDataUrl = (url: string): boolean => /^\s*data:/i.test(url)

/** Compares the bytes as they came with what the attachment says of them. R4 wants the SHA-1; some senders give SHA-256, or hex. */
function mismatchOf({ size, hash }: { size?: number | undefined; hash?: string | undefined }, text: string) {
  const bytes = bytesIn(text)
  if (size !== undefined && size !== bytes.length) return 'is not of the size that it says'
  if (hash === undefined || hash.trim() === '') return null
  const given = hash.replace(/\s+/g, '')
  const isOwn = ['sha1', 'sha256'].some((name) => {
    const digest = createHash(name).update(bytes).digest()
    return given === digest.toString('base64') || given.toLowerCase() === digest.toString('hex')
  })
  return isOwn ? null : 'does not have the hash that it says'
}
