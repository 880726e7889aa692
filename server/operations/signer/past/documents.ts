/** The documents that the caller has signed or rejected. */
import * as z from 'zod'
import { ErrorBody } from '../../../../lib/contract/error.ts'
import { optional, pathId } from '../../../../lib/contract/primitives.ts'
import { DEFAULT_PAGE_SIZE } from '../../../choices.ts'
import { past } from '../as-shown.ts'
import { gone } from '../documents.ts'
import { Past } from '../messages.ts'
import { signerRow } from '../signer-context.ts'

export const listPast = signerRow({
  method: 'get',
  path: '/inbox/api/past',
  group: 'Past documents',
  summary: 'List what was signed or rejected, the newest first',
  who: ['signer'],
  query: z.strictObject({ before: optional(pathId()) }),
  responses: { 200: z.array(Past) },
  run: async ({ inbox }, { query: { before } }) => (await inbox.past(DEFAULT_PAGE_SIZE, before ?? undefined)).map(past),
})

export const readSignedPdf = signerRow({
  method: 'get',
  path: '/inbox/api/past/:taskId/pdf',
  group: 'Past documents',
  summary: 'Read the signed PDF of a document',
  who: ['signer'],
  params: z.object({ taskId: pathId() }),
  taskId: 'taskId',
  responses: { 200: 'pdf', 404: ErrorBody },
  run: async ({ inbox, at }, { params: { taskId } }) => ({
    pdf: (await inbox.signedPdf(taskId, at)) ?? gone(taskId),
    fileName: `document-${taskId}.pdf`,
    disposition: 'attachment' as const,
  }),
})
