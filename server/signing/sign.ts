/** Signs or rejects a pending document. The only entry, for every page and call. */
import { type Clock, timeOf } from '../../lib/clock.ts'
import { fieldKind } from '../../lib/contract/task/field-kinds.ts'
import { BUSY_RETRY_MS } from '../choices.ts'
import type { Actor } from '../domain/audit.ts'
import { keyProblems } from '../domain/external-key.ts'
import { Busy, Refusal } from '../domain/refusal.ts'
import { checkFilled, crowdedTexts, type FilledValues } from '../domain/task/filling.ts'
import type { SignaturePlace } from '../domain/task/signature-place.ts'
import { NO_LONGER_WAITS, transition } from '../domain/task/task.ts'
import { timestampProblems } from '../domain/timestamp.ts'
import type { Completion } from '../pdf/completion.ts'
import { coveredCharacters } from '../pdf/ink/covered.ts'
import type { Store } from '../store/store.ts'
import type { Scope } from '../store/tasks/scope.ts'
import type { PendingDocument } from '../store/tasks/signing.ts'
import { type Circumstances, inWords } from './circumstances.ts'
import { nameProblems } from './name-problems.ts'
import { type SealParts, sealWith } from './sealing.ts'
import { signedContent } from './signed-content.ts'
import { type FilledIn, inkOn, waitingDocument } from './waiting-document.ts'

export interface Signing {
  /**
   * Stamps and seals the document, and completes the task. Refuses with `conflict` when the task is not Pending, or no longer
   * is once the PDF is ready, or when the signer saw another PDF or other ink; with `invalid` when a required field is not
   * filled in, or when what would be sealed is not what was shown. A signer who saw the document may sign it again with the same
   * content, as after a lost answer: that changes nothing, and is not refused.
   */
  sign(scope: Scope, taskId: number, actor: Actor, filled: Signed): Promise<void>
  /** Refuses with `conflict` when the task is not Pending. */
  reject(scope: Scope, taskId: number, actor: Actor, reason: string | null): Promise<void>
}

export interface Signed extends FilledIn {
  /** SHA-256 of the PDF with the ink that the signer saw last, hexadecimal; omitted for signers who look at no preview. */
  previewedSha256?: string | undefined
  circumstances: Circumstances
}

export interface SigningParts extends SealParts {
  store: Pick<Store, 'signing' | 'tasks'>
  clock: Clock
  newId(): string
  /** In a sandbox, the certificate page says that the document is no legal signature. */
  isTest: boolean
  /** Whether the certificate page names the patient. */
  namesPatient: boolean
}

export function createSigning({ store, clock, newId, isTest, namesPatient, ...parts }: SigningParts): Signing {
  async function sign(scope: Scope, taskId: number, actor: Actor, filled: Signed): Promise<void> {
    const document = await waitingDocument(store, scope, taskId, filled.shownSha256)
    if (!document) throw notPending(taskId)
    const covered = coveredCharacters()
    checkFilled(document.fields, filled.values, covered, nameProblems(document, covered))
    const at = timeOf(clock)
    const eventId = newId()
    const completed = await sealWith(parts, document.pdf, {
      ...inkOn(document, filled, at),
      isSigned: true,
      previewedSha256: filled.previewedSha256,
      signature: placeOf(document.signaturePlace, filled.signatureImage),
      signer: { ...document.signer, organization: document.organization, onBehalfOf: document.onBehalfOf },
      certificate: {
        taskId,
        documentId: document.documentId,
        receivedSha256: document.receivedSha256,
        documentType: document.documentType,
        sender: { ...document.sender, documentId: document.externalDocId },
        patient: namesPatient ? document.patient : null,
        receivedAt: document.receivedAt,
        shownAt: document.shownAt,
        circumstances: inWords(filled.circumstances),
        preparations: document.preparations,
        events: [...document.events, { eventId, status: 'Completed', at: at.toISOString() }],
        isTest,
      },
    })
    if ('noTimestamp' in completed)
      throw notYet(`needs a timestamp, and the timestamp authority ${timestampProblems[completed.noTimestamp]}`)
    if ('noSignature' in completed)
      throw notYet(`needs its seal, and the key that seals documents ${keyProblems[completed.noSignature]}`)
    if (!completed.ok) {
      if (completed.isUnlikePreview) throw otherInk()
      if (completed.crowded) throw crowdedTexts(document.fields, completed.crowded)
      if (completed.notSealed) await store.signing.auditNotSealed(taskId, completed.notSealed, actor, at)
      const problem = `The document could not be signed: ${completed.problem}`
      throw completed.isForNow ? new Busy(BUSY_RETRY_MS, problem) : new Refusal('invalid', problem)
    }
    const signed = { ...completed, at, content: signedContent(filled) }
    await store.signing.sign(scope, taskId, actor, signed, (task) => transition(task, 'sign', { at, eventId }))
  }

  async function isRepeated(scope: Scope, taskId: number, filled: FilledIn): Promise<boolean> {
    const content = signedContent(filled)
    return content !== null && store.signing.wasSignedWith(scope, taskId, content)
  }

  return {
    async sign(scope, taskId, actor, filled) {
      try {
        await sign(scope, taskId, actor, filled)
      } catch (failure) {
        const isConflict = failure instanceof Refusal && failure.kind === 'conflict'
        if (!isConflict || !(await isRepeated(scope, taskId, filled))) throw failure
      }
    },
    async reject(scope, taskId, actor, reason) {
      const facts = { at: timeOf(clock), eventId: newId(), reason }
      await store.tasks(scope).change(taskId, actor, (task) => transition(task, 'reject', facts))
    },
  }
}

/** A signature that no one asked for is kept all the same. */
function placeOf(place: SignaturePlace, image: Uint8Array | null): Completion['signature'] {
  if (place === 'onPages') return 'inFields'
  return place === 'certificatePage' || image ? 'onCertificate' : 'notGiven'
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
  new Refusal('conflict', `Task ${taskId} is not Pending; only a Pending task can be signed.`).inPlainWords(
    NO_LONGER_WAITS,
  )

/** @param why about the document, as a clause */
const notYet = (why: string) =>
  new Busy(
    BUSY_RETRY_MS,
    `The document was not signed: it ${why}. What you filled in is kept. Sign again in a few minutes; if that does not help, tell the operator of the service.`,
  )

const otherInk = () =>
  new Refusal(
    'conflict',
    'The document would not be sealed as you saw it: the date, or something else on it, has changed. Look at it again, then sign.',
  )
