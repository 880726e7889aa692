/** Shows signers the ink before they sign. Leaves nothing behind: no audit entry, no copy. choice: Preview of the ink */
import { type Clock, timeOf } from '../../lib/clock.ts'
import { BUSY_RETRY_MS } from '../choices.ts'
import { Busy, Refusal } from '../domain/refusal.ts'
import { checkDraft } from '../domain/task/filling.ts'
import { coveredCharacters } from '../pdf/ink/covered.ts'
import type { PdfPool } from '../pdf/workers/pool.ts'
import type { Store } from '../store/store.ts'
import type { Scope } from '../store/tasks/scope.ts'
import { checkNames } from './check-names.ts'
import { type FilledIn, inkOn, waitingDocument } from './waiting-document.ts'

export interface InkPreviews {
  /**
   * Returns what the ink adds to the document, and the SHA-256 of both together, hexadecimal. Required fields may still be
   * empty. Refuses with `conflict` as signing does, and with `invalid` what cannot be stamped.
   */
  of(scope: Scope, taskId: number, draft: DraftOfInk): Promise<{ addition: Uint8Array; sha256: string }>
}

export interface DraftOfInk extends FilledIn {
  /** Whether the signature has been given. */
  isSigned: boolean
}

interface PreviewParts {
  store: Pick<Store, 'signing'>
  pdf: Pick<PdfPool, 'preview'>
  clock: Clock
}

export const createInkPreviews = ({ store, pdf, clock }: PreviewParts): InkPreviews => ({
  async of(scope, taskId, draft) {
    const document = await waitingDocument(store, scope, taskId, draft.shownSha256)
    checkDraft(document.fields, draft.values, coveredCharacters())
    checkNames(document)
    const ink = { ...inkOn(document, draft, timeOf(clock)), isSigned: draft.isSigned }
    const preview = await pdf.preview(document.pdf, ink)
    if (preview.ok) return preview
    const problem = `The document could not be signed: ${preview.problem}`
    throw 'isForNow' in preview ? new Busy(BUSY_RETRY_MS, problem) : new Refusal('invalid', problem)
  },
})
