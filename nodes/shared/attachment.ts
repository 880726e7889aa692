/** The PDF a message carries, in whatever form, as the Base64 that the interface wants. It never quotes the document. */
import { readFile } from 'node:fs/promises'
import { hasHeader } from '../../lib/pdf/file/header.ts'
import { InputError } from './failures.ts'

/** `data` is a Buffer or Base64 text; `path` the path of a file. A text is never taken for a path by guess. */
export type AttachmentForm = 'data' | 'path'

export async function encodeAttachment(given: unknown, form: AttachmentForm): Promise<string> {
  const bytes = await bytesOf(given, form)
  if (!hasHeader(bytes))
    throw new InputError([
      `document.attachment: the ${form === 'path' ? 'file' : 'value'} is not a PDF; it must begin with %PDF-`,
    ])
  return bytes.toString('base64')
}

async function bytesOf(given: unknown, form: AttachmentForm): Promise<Buffer> {
  if (form === 'path') {
    if (typeof given !== 'string') throw new InputError(['document.attachment: required; the path of a PDF file'])
    return readFile(given).catch((failure: NodeJS.ErrnoException) => {
      throw new InputError([`document.attachment: the file cannot be read (${failure.code})`])
    })
  }
  if (given instanceof Uint8Array) return Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  if (typeof given !== 'string') throw new InputError(['document.attachment: required; a PDF as Buffer or Base64 text'])
  // Other systems wrap Base64 at 76 characters.
  const text = given.replace(/[\t\n\f\r ]/g, '')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0)
    throw new InputError(['document.attachment: the text is not Base64'])
  return Buffer.from(text, 'base64')
}
