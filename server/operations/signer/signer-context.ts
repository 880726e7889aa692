/** The context of the signer's operations. Bound to one signer: data of other signers cannot be reached through it. */
import type { Actor } from '../../domain/audit.ts'
import type { UnsignedPdf } from '../../domain/unsigned-pdf.ts'
import type { PdfPool } from '../../pdf/workers/pool.ts'
import type { Circumstances } from '../../signing/circumstances.ts'
import type { InkPreviews } from '../../signing/ink-previews.ts'
import type { ShownPages } from '../../signing/shown-pages.ts'
import type { Signing } from '../../signing/sign.ts'
import type { Store } from '../../store/store.ts'
import type { SignerScope } from '../../store/tasks/scope.ts'
import { rowsFor, type StreamAnswer } from '../row.ts'

export interface SignerContext {
  /** The documents of the signer, and of those whom the signer signs for. No one's NPI is empty, so a caller who is no signer finds nothing. */
  inbox: ReturnType<Store['forSigner']>
  /** The signer whose documents are signed and rejected. */
  scope: SignerScope
  /** The signer, for the audit log. */
  by: Actor
  signing: Signing
  preview: {
    previews: InkPreviews
    /** Returns the function that gives the place in the queue back; null when there is none for this signer. */
    takePlace(): (() => void) | null
  }
  pages: {
    shown: ShownPages
    /** Returns the function that gives the place in the queue back; null when there is none for this session. */
    takePlace(): (() => void) | null
    /** Whether the reading of a document by this session is in the audit log: its pages come one by one. */
    isNoted(document: string): boolean
    note(document: string): void
  }
  /** Whether the user may have the PDF of a pending document. */
  unsignedPdf: UnsignedPdf
  /** Resolves with the secret for the drafts of the person who calls. */
  draftSecret(): Promise<Buffer>
  /** The delegations of the whole service: rows name the user as one of the two sides. */
  delegations: Store['delegations']
  notices: Pick<Store['notices'], 'of' | 'choose' | 'enter' | 'confirm'> & {
    /** Whether there is a mail server. */
    isOffered: boolean
    /** Makes what the links hold that end notices. */
    newKey(): string
  }
  /** Returns what tells an open inbox of the signer that something changed. Refuses where too many are open. */
  follow(): StreamAnswer
  /** How the signer came here, as certificate pages tell it. */
  circumstances: Omit<Circumstances, 'consent'>
  /** The one reading of the clock for the whole request. */
  at: Date
  verification: {
    /** A pool of its own: unknown callers may not hold up known ones. */
    pdf: Pick<PdfPool, 'verify'>
    /** PEM of the certificates that the documents of this service were sealed with, one after another. */
    certificatePem: string
    /** PEM of those that vouch for timestamps; empty means those that Node.js trusts. */
    authorities: string
    /** Returns the function that gives the place in the queue back; null when there is none for the caller's network. */
    takePlace(): (() => void) | null
  }
}

export const signerRow = rowsFor<SignerContext>()
