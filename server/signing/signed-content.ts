/** The content of a signature as a text: equal when a signer sends the same again, because the answer was lost. Pure. */
import { createHash } from 'node:crypto'
import type { FilledIn } from './waiting-document.ts'

/** Returns null for signers who do not look at the document, such as those of a demo: theirs is never repeated. */
export function signedContent({ values, signatureImage, shownSha256, timeZone }: FilledIn): string | null {
  if (shownSha256 === undefined) return null
  const drawn = signatureImage && createHash('sha256').update(signatureImage).digest('hex')
  // JavaScript orders keys that are whole numbers, so the order in which they were sent does not matter.
  return JSON.stringify([shownSha256, values, drawn, timeZone])
}
