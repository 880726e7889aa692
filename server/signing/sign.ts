/** What signers do with a document that waits for them: sign it or reject it. The one way in, for every page and call. */
import { type Clock, timeOf } from '../../lib/clock.ts'
import { fieldKind } from '../../lib/contract/task/field-kinds.ts'
import { BUSY_RETRY_MS } from '../choices.ts'
import type { Actor } from '../domain/audit.ts'
import { Busy, Refusal } from '../domain/refusal.ts'
import { type FilledValues, fillingProblems } from '../domain/task/filling.ts'
import { transition } from '../domain/task/task.ts'
import type { SealKey } from '../pdf/seal/certificate.ts'
import type { PdfPool } from '../pdf/workers/pool.ts'
import type { Store } from '../store/store.ts'
import type { Scope } from '../store/tasks/scope.ts'
import type { PendingDocument } from '../store/tasks/signing.ts'

export interface Signing {
  /**
   * Stamps and seals the document, and completes the task. Refuses with `conflict` when the task is not Pending, or no longer
   * is once the PDF is ready, or when the signer saw another PDF; with `invalid` when a required field is not filled in, or
   * when what would be sealed is not what was shown.
   */
  sign(scope: Scope, taskId: number, actor: Actor, filled: FilledIn): Promise<void>
  /** Refuses with `conflict` when the task is not Pending. */
  reject(scope: Scope, taskId: number, actor: Actor, reason: string | null): Promise<void>
}

export interface FilledIn {
  values: FilledValues
  /** A drawn signature as PNG, or null: the name is typed. */
  signatureImage: Uint8Array | null
  /** SHA-256 of the PDF that the signer saw, hexadecimal; left out for signers who do not look at the document. */
  shownSha256?: string
  /** Time zone of the signer, an IANA name: the signature bears the date that it is there. UTC when left out. */
  timeZone?: string
}

export interface SigningParts {
  store: Pick<Store, 'signing' | 'tasks'>
  pdf: Pick<PdfPool, 'complete'>
  seal: SealKey
  clock: Clock
  newId(): string
  /** In a sandbox, the certificate page says that the document is no legal signature. */
  isTest: boolean
}

export function createSigning({ store, pdf, seal, clock, newId, isTest }: SigningParts): Signing {
  async function sign(scope: Scope, taskId: number, actor: Actor, filled: FilledIn): Promise<void> {
    const { values, signatureImage, shownSha256, timeZone = 'UTC' } = filled
    const document = await store.signing.find(scope, taskId)
    if (!document) throw notPending(taskId)
    if (shownSha256 !== undefined && shownSha256 !== document.sha256) throw otherDocument()
    const problems = fillingProblems(document.fields, values)
    if (problems.length > 0) throw new Refusal('invalid', ...problems)
    const at = timeOf(clock)
    const eventId = newId()
    const completed = await pdf.complete(document.pdf, {
      fields: document.fields,
      values,
      signatureImage,
      signer: { name: document.signerName, npi: document.signerNpi, organization: document.organization },
      signedAt: at.toISOString(),
      timeZone,
      seal,
      certificate: {
        taskId,
        documentId: document.documentId,
        receivedSha256: document.receivedSha256,
        preparations: document.preparations,
        events: [...document.events, { eventId, status: 'Completed', at: at.toISOString() }],
        isTest,
      },
    })
    if (!completed.ok) {
      if (completed.notSealed) await store.signing.auditNotSealed(taskId, completed.notSealed, actor, at)
      const problem = `The document could not be signed: ${completed.problem}`
      throw completed.isForNow ? new Busy(BUSY_RETRY_MS, problem) : new Refusal('invalid', problem)
    }
    await store.signing.sign(scope, taskId, actor, completed, (task) => transition(task, 'sign', { at, eventId }))
  }

  return {
    sign,
    async reject(scope, taskId, actor, reason) {
      const facts = { at: timeOf(clock), eventId: newId(), reason }
      await store.tasks(scope).change(taskId, actor, (task) => transition(task, 'reject', facts))
    },
  }
}

/** Values that satisfy every required field, for signers who do not look at the document. */
export function requiredValues({ fields }: Pick<PendingDocument, 'fields'>): FilledValues {
  return Object.fromEntries(
    fields.flatMap(({ type, required, value }, index) => {
      const { sample } = fieldKind(type)
      return required && !value && sample !== null ? [[index, sample]] : []
    }),
  )
}

const notPending = (taskId: number) =>
  new Refusal('conflict', `Task ${taskId} is not Pending; only a Pending task can be signed.`)

const otherDocument = () =>
  new Refusal(
    'conflict',
    'sha256: this is not the document that waits here. Open it again, and sign what it shows then.',
  )
