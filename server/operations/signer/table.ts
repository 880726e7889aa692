/** Everything that the inbox and the page /verify ask of the service. */
import type { Table } from '../row.ts'
import { listWaiting, openDocument, previewInk, readWaitingPdf, rejectDocument, signDocument } from './documents.ts'
import { forgetSignature, readSignature } from './kept-signature.ts'
import { listPast, readSignedPdf } from './past-documents.ts'
import type { SignerContext } from './signer-context.ts'
import { listStampable } from './stampable.ts'
import { verifyDocument } from './verification.ts'

export const signer: Table<SignerContext> = {
  listWaiting,
  openDocument,
  readWaitingPdf,
  previewInk,
  signDocument,
  rejectDocument,
  listPast,
  readSignedPdf,
  readSignature,
  forgetSignature,
  listStampable,
  verifyDocument,
}
