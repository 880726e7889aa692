/** The PDF of an order in FHIR: in the DocumentReference, or in a Binary beside it. Nothing is fetched. Pure. */
import type { Placed } from '../findings.ts'
import type { Order } from './order.ts'
import type { Reading } from './reading.ts'
import { Binary } from './resources.ts'

/** `%PDF-` in Base64. */
const BEGINS = 'JVBERi0'

/** Returns the PDF as Base64. Holds the message when there is none, or when it cannot be told which is meant. */
export function pdfOf(order: Order, reading: Reading): string {
  const { map, findings } = reading
  const found = order.documents.flatMap((document) => pdfsIn(document, reading))
  const [first] = found
  if (first === undefined) {
    findings.hold('content', 'no PDF in the message')
    return ''
  }
  if (found.length > 1 && map.pdf === 'hold') {
    findings.hold('content', `holds ${found.length} PDFs; say in the map which one is signed`)
    return ''
  }
  const chosen = map.pdf === 'last' ? found.at(-1)! : first
  findings.from('document.attachment', chosen.place)
  return chosen.value
}

function pdfsIn({ place, document, owner }: Order['documents'][number], reading: Reading): Placed<string>[] {
  const { collection, findings } = reading
  return document.content.flatMap(({ attachment: { contentType, data, url } }, index) => {
    if (contentType !== undefined && !contentType.startsWith('application/pdf')) return []
    const at = `${place}.content[${index}].attachment`
    const reference = { reference: url }
    const binary =
      data === undefined && url ? collection.resolve(reference, `${at}.url`, Binary, owner, findings) : null
    const text = (data ?? binary?.data ?? '').replace(/\s+/g, '')
    if (text === '') return []
    if (text.startsWith(BEGINS)) return [{ place: binary ? `${at}.url.resolve()` : at, value: text }]
    findings.hold(at, 'says that it is a PDF, and is none')
    return []
  })
}
