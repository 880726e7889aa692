/** Everything that the inbox and the page /verify ask of the service. */
import type { Table } from '../row.ts'
import { followInbox } from './changes.ts'
import { createDelegation, endDelegation, listDelegations } from './delegations.ts'
import { listWaiting, openDocument, previewInk, rejectDocument, signDocument } from './documents.ts'
import { readDraftSecret } from './draft-secret.ts'
import { forgetSignature, readSignature } from './kept-signature.ts'
import { chooseNotices, confirmAddress, enterAddress, readNotices } from './notices.ts'
import { readOutcome } from './outcome.ts'
import { previewPage, readPage, readPages, readSignedPage, readSignedPages } from './pages.ts'
import { listPast, readSignedPdf } from './past/documents.ts'
import { searchPast } from './past/search.ts'
import type { SignerContext } from './signer-context.ts'
import { listStampable } from './stampable.ts'
import { readUnsignedPdf } from './unsigned-pdf.ts'
import { verifyDocument } from './verification.ts'

export const signer: Table<SignerContext> = {
  listWaiting,
  openDocument,
  readUnsignedPdf,
  readPages,
  readPage,
  previewInk,
  previewPage,
  signDocument,
  rejectDocument,
  readOutcome,
  listPast,
  searchPast,
  readSignedPdf,
  readSignedPages,
  readSignedPage,
  readDraftSecret,
  readSignature,
  forgetSignature,
  listStampable,
  followInbox,
  readNotices,
  chooseNotices,
  enterAddress,
  confirmAddress,
  listDelegations,
  createDelegation,
  endDelegation,
  verifyDocument,
}
