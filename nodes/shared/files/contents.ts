/** What the files of a document hold, or why there is nothing to read. */
import { parse } from 'node:path'
import type { IndexKind } from '../../../lib/mapping/files/read-index.ts'
import type { DroppedFiles } from '../../../lib/mapping/map-files.ts'
import type { Claim, DropFolder } from './drop-folder.ts'

/** Rejects with what Node.js says when the folder cannot be used now. */
export async function contents(
  folder: DropFolder,
  claim: Claim,
  maxBytes: number,
): Promise<DroppedFiles | { reason: string }> {
  const { index, pdf, others, size } = claim
  if (index === null) return { reason: 'index: none came with the PDF' }
  if (others.length > 0) return { reason: `index: it is one of several files: ${[index, ...others].join(', ')}` }
  if (size > maxBytes) return { reason: `PDF: the files have more than ${maxBytes} bytes` }
  const kind = parse(index).ext.slice(1).toLowerCase() as IndexKind
  try {
    return { kind, index: await folder.read(claim, index), pdf: pdf === null ? null : await folder.read(claim, pdf) }
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'ENOENT') throw failure
    // Not the file, but the folder may be away.
    await folder.list()
    return { reason: 'PDF: a file was removed from the folder processing' }
  }
}
