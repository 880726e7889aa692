/** Shows signers the ink before they sign. Leaves nothing behind: no audit entry, no copy. choice: Preview of the ink */
import { type Clock, timeOf } from '../../lib/clock.ts'
import { BUSY_RETRY_MS } from '../choices.ts'
import { Busy, Refusal } from '../domain/refusal.ts'
import { checkDraft } from '../domain/task/filling.ts'
import type { Ink } from '../pdf/completion.ts'
import type { PageRequest, ShownPage } from '../pdf/draw/shown-page.ts'
import { coveredCharacters } from '../pdf/ink/covered.ts'
import type { InkPreview } from '../pdf/preview.ts'
import type { PdfPool } from '../pdf/workers/pool.ts'
import type { Store } from '../store/store.ts'
import type { Scope } from '../store/tasks/scope.ts'
import { nameProblems } from './name-problems.ts'
import type { ShownPages } from './shown-pages.ts'
import { type FilledIn, inkOn, waitingDocument } from './waiting-document.ts'

export interface InkPreviews {
  /**
   * Returns the SHA-256 of the document with the ink on it, hexadecimal, and the indexes of the fields whose texts are too long to be
   * read in their boxes. Required fields may still be empty. Returns null when the task is not Pending.
   * Refuses with `conflict` when the signer saw another PDF, and with `invalid` what cannot be stamped.
   */
  of(scope: Scope, taskId: number, draft: DraftOfInk): Promise<Drawn | null>
  /** Shows a page with the same ink. Refuses with `conflict` when it is another than the preview gave the digest of. */
  page(scope: Scope, taskId: number, draft: DraftOfInk, page: PageOfPreview): Promise<ShownPage | null>
}

export interface PageOfPreview extends Pick<PageRequest, 'page' | 'width'> {
  /** The digest that the preview gave. */
  inkedSha256: string
}

type Drawn = Omit<Extract<InkPreview, { ok: true }>, 'ok'>

export interface DraftOfInk extends FilledIn {
  /** Whether the signature has been given. */
  isSigned: boolean
}

interface PreviewParts {
  store: Pick<Store, 'signing'>
  pdf: Pick<PdfPool, 'preview'>
  pages: Pick<ShownPages, 'show'>
  clock: Clock
}

export function createInkPreviews({ store, pdf, pages, clock }: PreviewParts): InkPreviews {
  async function inked(scope: Scope, taskId: number, draft: DraftOfInk): Promise<{ pdf: Buffer; ink: Ink } | null> {
    const document = await waitingDocument(store, scope, taskId, draft.shownSha256)
    if (!document) return null
    const covered = coveredCharacters()
    checkDraft(document.fields, draft.values, covered, nameProblems(document, covered))
    return { pdf: document.pdf, ink: { ...inkOn(document, draft, timeOf(clock)), isSigned: draft.isSigned } }
  }
  return {
    async of(scope, taskId, draft) {
      const document = await inked(scope, taskId, draft)
      if (!document) return null
      const preview = await pdf.preview(document.pdf, document.ink)
      if (preview.ok) return preview
      const problem = `The document could not be signed: ${preview.problem}`
      throw 'isForNow' in preview ? new Busy(BUSY_RETRY_MS, problem) : new Refusal('invalid', problem)
    },
    async page(scope, taskId, draft, { page, width, inkedSha256 }) {
      const document = await inked(scope, taskId, draft)
      if (!document) return null
      const request = { page, width, inked: { ink: document.ink, sha256: inkedSha256 }, isSigned: false }
      return pages.show(`waiting ${taskId}`, document.pdf, request)
    },
  }
}
