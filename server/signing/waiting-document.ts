/** A pending document as its signer sees it: the document, and the stamps that will be on it. */

import { Refusal } from '../domain/refusal.ts'
import type { FilledValues } from '../domain/task/filling.ts'
import type { Ink } from '../pdf/completion.ts'
import type { Store } from '../store/store.ts'
import type { Scope } from '../store/tasks/scope.ts'
import type { PendingDocument } from '../store/tasks/signing.ts'

export interface FilledIn {
  values: FilledValues
  /** A drawn signature as PNG, or null: the name is typed. */
  signatureImage: Uint8Array | null
  /** SHA-256 of the PDF that the signer saw, hexadecimal; omitted for signers who do not look at the document. */
  shownSha256?: string
  /** Time zone of the signer, an IANA name: the signature shows the date in it. Optional; UTC by default. */
  timeZone?: string
}

/** Returns null when the task is not Pending. Refuses with `conflict` when the signer saw another PDF. */
export async function waitingDocument(
  store: Pick<Store, 'signing'>,
  scope: Scope,
  taskId: number,
  shownSha256: string | undefined,
): Promise<PendingDocument | null> {
  const document = await store.signing.find(scope, taskId)
  if (document && shownSha256 !== undefined && shownSha256 !== document.sha256) throw otherDocument()
  return document
}

export const inkOn = (
  { fields, signer, onBehalfOf }: PendingDocument,
  { values, signatureImage, timeZone = 'UTC' }: FilledIn,
  at: Date,
): Omit<Ink, 'isSigned'> => ({
  fields,
  values,
  signer: { name: signer.name, onBehalfOf },
  signatureImage,
  signedAt: at.toISOString(),
  timeZone,
})

const otherDocument = () =>
  new Refusal(
    'conflict',
    'sha256: this is not the document that waits here. Open it again, and sign what it shows then.',
  ).inPlainWords('This is no longer the document that waits here. Open it again, and sign what it shows then.')
