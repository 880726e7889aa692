import { isGiven } from '../../../lib/contract/primitives.ts'
import { draftOf, readDraft } from '../../../lib/contract/task/draft-task.ts'
import type { Patient } from '../../../lib/contract/task/patient.ts'
import { giveBack } from '../../../lib/memory.ts'
import { fromTopLeft } from '../../../lib/pdf/placement/origin.ts'
import { Refusal } from '../../domain/refusal.ts'
import { OutcomeUnknown } from '../../domain/store-refusals.ts'
import { examineCreate } from './examine-create.ts'
import type { SenderContext, SenderRun } from './sender-context.ts'

/**
 * Accepts a document for signature. The task is on disk before it is answered; ingestion follows. spec: Endpoints › Tasks.
 * choice: Senders that hang up
 */
export const run: SenderRun<'createTask'> = async (context, { body }) => {
  const { annotations } = body.document
  const examined = await examineCreate(context, draftOf(body), annotations)
  const { errors, isTooLarge, document: prepared, pages, placedEarly } = examined
  if (errors.length > 0 || !prepared) throw new Refusal(isTooLarge ? 'tooLarge' : 'invalid', ...errors)
  if (context.isGone()) throw new Refusal('invalid', HUNG_UP)
  const { patient, performers, document } = body
  const created = context.store.tasks.create(
    {
      ...prepared,
      request: {
        patient: withoutEmptyNames(patient),
        performer: performers[0]!,
        effectiveDate: document.effectiveDate,
        diagnosisCode: document.diagnosisCode?.trim() || null,
        annotations: fromTopLeft(annotations, context.profile.coordinates.origin, pages),
        placedEarly,
      },
      externalDocId: document.externalDocId,
      documentTypeId: document.documentTypeId,
      templateId: annotations.templateId ?? null,
    },
    context.at,
  )
  const task = await created.catch((failure: unknown) => {
    throw failure instanceof OutcomeUnknown ? failure.withAdvice(LOOK_FOR_IT) : failure
  })
  giveBack(prepared.pdf)
  return { taskId: task.id, status: task.status, statusReason: task.statusReason }
}

const withoutEmptyNames = (patient: Patient): Patient => ({
  ...patient,
  names: patient.names.map((name) => ({ ...name, given: name.given.filter(isGiven) })),
})

const HUNG_UP = 'The connection was closed before the task was created; send the document again.'

/** A second task for the same document would be signed, too. */
const LOOK_FOR_IT = 'List the tasks with its externalDocId: if it is not among them, send it again.'

/** Returns what else is wrong with a body whose shape is wrong. */
export const examine = async (context: SenderContext, body: unknown): Promise<string[]> =>
  (await examineCreate(context, readDraft(body), null)).errors
