/** A copy of a document that waits, for the signer to open or save, where the operator lets signers have one. choice: Copies before signing */
import * as z from 'zod'
import { ErrorBody } from '../../../lib/contract/error.ts'
import { pathId } from '../../../lib/contract/primitives.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { PdfAnswer } from '../row.ts'
import { gone } from './documents.ts'
import { signerRow } from './signer-context.ts'

export const readUnsignedPdf = signerRow({
  method: 'get',
  path: '/inbox/api/documents/:taskId/copy',
  group: 'Documents',
  summary: 'Open or save the PDF of a document that waits, as --unsigned-pdf allows',
  who: ['signer'],
  params: z.object({ taskId: pathId() }),
  taskId: 'taskId',
  responses: { 200: 'pdf', 403: ErrorBody, 404: ErrorBody },
  async run({ inbox, unsignedPdf, at }, { params: { taskId } }): Promise<PdfAnswer> {
    if (!(await inbox.open(taskId))) return gone(taskId)
    if (unsignedPdf === 'off')
      throw new Refusal('forbidden', 'This service gives no copies of documents that are not signed yet.')
    return {
      pdf: (await inbox.unsignedCopy(taskId, at)) ?? gone(taskId),
      fileName: `document-${taskId}-not-signed.pdf`,
      disposition: unsignedPdf === 'download' ? 'attachment' : 'inline',
    }
  },
})
