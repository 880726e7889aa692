/** Tells an open inbox that what waits has changed, and nothing else: what waits now it asks for. */
import { ErrorBody } from '../../../lib/contract/error.ts'
import { signerRow } from './signer-context.ts'

export const followInbox = signerRow({
  method: 'get',
  path: '/inbox/api/changes',
  group: 'Documents',
  summary:
    'Follow what waits as server-sent events: `changed` at the beginning and after each change, without saying what',
  who: ['signer'],
  // An inbox that is open all night must not keep its session alive by listening.
  passive: true,
  responses: { 200: 'stream', 503: ErrorBody },
  run: async ({ follow }) => follow(),
})
