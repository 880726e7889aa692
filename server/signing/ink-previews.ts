/** Shows signers the ink before they sign. Leaves nothing behind: no audit entry, no copy. choice: Preview of the ink */
import { type Clock, timeOf } from '../../lib/clock.ts'
import { BUSY_RETRY_MS } from '../choices.ts'
import { Busy, Refusal } from '../domain/refusal.ts'
import { checkDraft } from '../domain/task/filling.ts'
import { coveredCharacters } from '../pdf/ink/covered.ts'
import type { InkPreview } from '../pdf/preview.ts'
import type { PdfPool } from '../pdf/workers/pool.ts'
import type { Store } from '../store/store.ts'
import type { Scope } from '../store/tasks/scope.ts'
import { nameProblems } from './name-problems.ts'
import { type FilledIn, inkOn, waitingDocument } from './waiting-document.ts'

export interface InkPreviews {
  /**
   * Returns what the ink adds to the document, the SHA-256 of both together, hexadecimal, and the indexes of the fields whose texts
   * are too long to be read in their boxes. Required fields may still be empty. Returns null when the task is not Pending.
   * Refuses with `conflict` when the signer saw another PDF, and with `invalid` what cannot be stamped.
   */
  of(scope: Scope, taskId: number, draft: DraftOfInk): Promise<Drawn | null>
}

type Drawn = Omit<Extract<InkPreview, { ok: true }>, 'ok'>

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
    if (!document) return null
    const covered = coveredCharacters()
    checkDraft(document.fields, draft.values, covered, nameProblems(document, covered))
    const ink = { ...inkOn(document, draft, timeOf(clock)), isSigned: draft.isSigned }
    const preview = await pdf.preview(document.pdf, ink)
    if (preview.ok) return preview
    const problem = `The document could not be signed: ${preview.problem}`
    throw 'isForNow' in preview ? new Busy(BUSY_RETRY_MS, problem) : new Refusal('invalid', problem)
  },
})
