/** Turns the PDF of a message, in any of its forms, into the Base64 that the interface takes. Errors never quote the document. */
import { hasHeader } from '../../../lib/pdf/file/header.ts'
import { decodeAttachment } from '../../../lib/pdf/guard/attachment.ts'
import { readPlainFile } from '../../../lib/plain-file.ts'
import { base64Of } from '../normalize/data-url.ts'
import { InputError } from '../runtime/failures.ts'

/** `data` is a Buffer, Base64 text or a data: URL; `path` is the path of a file. A text is never guessed to be a path. */
export type AttachmentForm = 'data' | 'path'

/** Throws an InputError when there is no PDF, or the file cannot be read. */
export async function encodeAttachment(given: unknown, form: AttachmentForm): Promise<string> {
  const bytes = await bytesOf(given, form)
  if (!hasHeader(bytes))
    throw new InputError([
      `document.attachment: the ${form === 'path' ? 'file' : 'value'} is not a PDF; it must begin with %PDF-`,
    ])
  return bytes.toString('base64')
}

/** Returns the bytes of a document that is a Buffer, Base64 text or a data: URL. Throws an InputError for anything else. */
export function pdfBytes(given: unknown): Buffer {
  if (given instanceof Uint8Array) return Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  if (typeof given !== 'string') throw new InputError(['payload: required; a PDF as Buffer or Base64 text'])
  const decoded = decodeAttachment(base64Of(given) ?? '', { maxBytes: Number.POSITIVE_INFINITY })
  if (!decoded.ok) throw new InputError([`payload: the text is ${decoded.problem}`])
  return decoded.pdf
}

async function bytesOf(given: unknown, form: AttachmentForm): Promise<Buffer> {
  if (form === 'path') {
    if (typeof given !== 'string') throw new InputError(['document.attachment: required; the path of a PDF file'])
    return readPlainFile(given, { isFollowed: true }).catch((failure: NodeJS.ErrnoException) => {
      throw new InputError([`document.attachment: the file cannot be read (${failure.code})`])
    })
  }
  if (given instanceof Uint8Array) return Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  if (typeof given !== 'string') throw new InputError(['document.attachment: required; a PDF as Buffer or Base64 text'])
  const base64 = base64Of(given)
  if (base64 === undefined)
    throw new InputError(['document.attachment: the data: URL must hold a PDF: data:application/pdf;base64,…'])
  // The host decides how large a document may be.
  const decoded = decodeAttachment(base64, { maxBytes: Number.POSITIVE_INFINITY })
  if (!decoded.ok) throw new InputError([`document.attachment: the text is ${decoded.problem}`])
  return decoded.pdf
}
