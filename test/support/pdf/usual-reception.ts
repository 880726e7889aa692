/** How the service receives a document where an organization has no settings of its own. */
import { defaultLimits } from '../../../lib/pdf/guard/limits.ts'
import { ownTokens } from '../../../lib/pdf/placement/placement.ts'
import { defaultActiveContentPolicy } from '../../../lib/pdf/prepare/active-content.ts'
import type { Reception } from '../../../server/pdf/receive.ts'

export const usualReception: Reception = {
  limits: defaultLimits,
  policy: defaultActiveContentPolicy,
  documents: 'auto',
  wanted: null,
  tokens: ownTokens,
}
