/** What the page for everybody says of a document. */
import type { Verdict } from '../../../lib/pdf/seal/verify.ts'
import { aVisit, type Reply } from '../browser/a-visit.ts'

/** Its threads have the lowest priority, so on a busy machine a document may have to be sent again, as the answer says. */
const TRIES = 6

export async function verifiedAt(baseUrl: string, pdf: Uint8Array, change = {}): Promise<Reply<Verdict>> {
  for (let left = TRIES; ; left--) {
    const reply = await aVisit(baseUrl).ask<Verdict>('POST', '/verify/api/document', pdf, change)
    if (left === 1 || !reply.errors[0]?.startsWith('Too many documents are being read.')) return reply
  }
}
