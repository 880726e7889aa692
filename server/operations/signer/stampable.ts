/** Which characters a signer can have stamped, so that the page marks the others while they are typed. */
import * as z from 'zod'
import { coveredCharacters } from '../../pdf/ink/covered.ts'
import { signerRow } from './signer-context.ts'

export const listStampable = signerRow({
  method: 'get',
  path: '/inbox/api/stampable',
  group: 'Documents',
  summary: 'List the characters that can be stamped: code points, first and last of each range',
  who: ['signer'],
  responses: { 200: z.object({ ranges: z.array(z.int()) }) },
  run: async () => ({ ranges: [...coveredCharacters()] }),
})
