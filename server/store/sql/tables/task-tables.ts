/** Tasks with their documents and patients, and what signers keep. */
import type { ColumnType, Generated } from 'kysely'
import type { TaskStatus } from '../../../../lib/contract/task/task.ts'
import type { DocumentKind } from '../../../domain/task/document-kind.ts'
import type { SignatureRule } from '../../../domain/task/signature-place.ts'
import type { Sealed } from '../../sealing/cipher.ts'
import type { Flag } from '../flag.ts'

export interface TaskTables {
  patient: {
    id: Generated<number>
    organizationId: number
    externalIdIndex: string
    demographicIndex: string
    /** JSON: Patient */
    sealed: Sealed
    createdAt: string
    updatedAt: string
  }
  /** A further id of a patient, as a person decided in a review. */
  patientAlias: { organizationId: number; externalIdIndex: string; patientId: number }
  task: {
    id: Generated<number>
    organizationId: number
    /** Set at one place alone, changes.ts. */
    status: ColumnType<TaskStatus, TaskStatus, never>
    documentId: number | null
    documentTypeId: number
    templateId: number | null
    signerNpi: string
    patientId: number | null
    /** The signer's organization that received the task. */
    routedTo: number | null
    externalDocIndex: string
    savedDocumentIndex: string | null
    isArchived: Flag
    isFiled: Flag
    /** The digest of the PDF as it was sent, hexadecimal. */
    receivedSha256: string
    /** JSON: Preparation[] */
    preparations: string
    /** JSON: TaskRequest, what was sent except the PDF; null once it was removed. */
    sealedRequest: Sealed
    /** JSON: TaskTexts, the free text that reads and lists show. */
    sealedNotes: Sealed
    /** JSON: Field[], once placed. */
    sealedFields: Sealed | null
    /** The rule of its sender, when it was presented. */
    signatureRule: Generated<SignatureRule>
    /** When ingestion is due, or when the lease of the running one ends; null when nothing is left to do. */
    ingestAt: string | null
    ingestAttempts: number
    /** Sealed reason and candidates of a manual review; null when none is open. */
    sealedReview: Sealed | null
    /** JSON: SealedDecision, the decision of the review while it can be undone. */
    sealedDecision: Sealed | null
    /** When document, patient and request were removed; null while they are kept. */
    contentsRemovedAt: string | null
    /** Whether `taskTerm` has its rows. */
    createdAt: string
    updatedAt: string
  }
  /** Terms by which the console finds the tasks of a patient: see `tasks/search-terms.ts`. */
  taskTerm: { term: string; taskId: number }
  /** Apart from the task, so that no list ever loads a PDF. */
  document: {
    taskId: number
    kind: DocumentKind
    /** The whole document; of one in a bucket its wrapped key alone. */
    sealed: Sealed
    sha256: string
    bytes: number
    /** The object's name in the bucket; null where the document is here. */
    object: string | null
    /** Keyed digest of what it was signed with; null for what was received, and for what no one looked at. */
    contentIndex: string | null
    createdAt: string
  }
  /**
   * Objects in the bucket that no document names: written down before each is put, taken out by the transaction that names it,
   * and put in again by the one that removes its document.
   */
  unnamedObject: {
    name: string
    /** When it is to be removed, or removed again. */
    dueAt: string
    /** Whether its removal has been decided: from then on no document may name it. */
    isDoomed: Flag
  }
  inboxRequest: {
    id: Generated<number>
    taskId: number
    createdAt: string
    /** When the signer first opened the document; null until then. */
    shownAt: string | null
  }
  /** Every saved-document id that an organization ever used: each is good for one time. */
  savedDocument: { organizationId: number; savedIndex: string; taskId: number; recordedAt: string }
  /** PNG that a signer drew and chose to keep. */
  savedSignature: { npi: string; sealed: Sealed; updatedAt: string }
}
