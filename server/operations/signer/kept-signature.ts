/** The drawn signature that the signer keeps for the next time. */
import * as z from 'zod'
import { signerRow } from './signer-context.ts'

const about = { path: '/inbox/api/signature', group: 'Kept signature', who: ['signer'] } as const

export const readSignature = signerRow({
  ...about,
  method: 'get',
  summary: 'Read the kept signature: a PNG as Base64, or null',
  responses: { 200: z.object({ drawn: z.string().nullable() }) },
  run: async ({ inbox }) => ({ drawn: (await inbox.signature())?.toString('base64') ?? null }),
})

export const forgetSignature = signerRow({
  ...about,
  method: 'delete',
  summary: 'Forget the kept signature',
  responses: { 204: null },
  async run({ inbox }) {
    await inbox.forgetSignature()
  },
})
