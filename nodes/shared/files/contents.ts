/** Reads the files of a document, or says why there is nothing to read. */
import { parse } from 'node:path'
import type { IndexKind } from '../../../lib/mapping/files/read-index.ts'
import type { DroppedFiles } from '../../../lib/mapping/map-files.ts'
import type { Claim } from './claim-store.ts'
import type { DropFolder } from './drop-folder.ts'
import type { SeenFile } from './pairs.ts'

/** Rejects with what Node.js says when the folder cannot be used now. */
export async function contents(
  folder: DropFolder,
  claim: Claim,
  maxBytes: number,
): Promise<DroppedFiles | { reason: string }> {
  const { index: indexFile, pdf: pdfFile, others } = claim
  if (indexFile === null) return { reason: 'index: none came with the PDF' }
  if (others.length > 0) {
    const names = [indexFile, ...others].map(({ name }) => name)
    return { reason: `index: it is one of several files: ${names.join(', ')}` }
  }
  const read = async (field: string, file: SeenFile, room: number): Promise<Buffer | { reason: string }> => {
    const bytes = await folder.read(claim, file, room)
    if (Buffer.isBuffer(bytes)) return bytes
    return {
      reason:
        bytes === 'large' ? `PDF: the files have more than ${maxBytes} bytes` : `${field}: ${LOST[bytes ?? 'gone']}`,
    }
  }
  const index = await read('index', indexFile, maxBytes)
  if (!Buffer.isBuffer(index)) return index
  const pdf = pdfFile && (await read('PDF', pdfFile, maxBytes - index.length))
  if (pdf !== null && !Buffer.isBuffer(pdf)) return pdf
  return { kind: parse(indexFile.name).ext.slice(1).toLowerCase() as IndexKind, index, pdf }
}

const LOST = {
  gone: 'the file was removed from the folder processing; drop the document again',
  replaced: 'the file was changed or replaced after it was taken up; drop the document again',
} as const
