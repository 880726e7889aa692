/** The secret with which the signer's page seals drafts that it keeps in the browser. */
import * as z from 'zod'
import { signerRow } from './signer-context.ts'

export const readDraftSecret = signerRow({
  method: 'get',
  path: '/inbox/api/draft-secret',
  group: 'Drafts',
  summary: 'Read the secret for drafts: 32 bytes as Base64, of the caller alone',
  who: ['signer'],
  responses: { 200: z.object({ secret: z.string() }) },
  run: async ({ draftSecret }) => ({ secret: (await draftSecret()).toString('base64') }),
})
