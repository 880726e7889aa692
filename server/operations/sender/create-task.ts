import { draftOf, readDraft } from '../../../lib/contract/task/draft-task.ts'
import { Refusal } from '../../domain/refusal.ts'
import { OutcomeUnknown } from '../../domain/store-refusals.ts'
import { examineCreate } from './examine-create.ts'
import type { SenderContext, SenderRun } from './sender-context.ts'

/** Accepts a document for signature. The task is on disk before it is answered; ingestion follows. spec: Endpoints › Tasks */
export const run: SenderRun<'createTask'> = async (context, { body }) => {
  const { errors, isTooLarge, document: prepared } = await examineCreate(context, draftOf(body))
  if (errors.length > 0 || !prepared) throw new Refusal(isTooLarge ? 'tooLarge' : 'invalid', ...errors)
  const { patient, performers, document } = body
  const created = context.store.tasks.create(
    {
      ...prepared,
      request: {
        patient,
        performer: performers[0]!,
        effectiveDate: document.effectiveDate,
        diagnosisCode: document.diagnosisCode ?? null,
        annotations: document.annotations,
      },
      externalDocId: document.externalDocId,
      documentTypeId: document.documentTypeId,
      templateId: document.annotations.templateId ?? null,
    },
    context.at,
  )
  const task = await created.catch((failure: unknown) => {
    throw failure instanceof OutcomeUnknown ? failure.withAdvice(LOOK_FOR_IT) : failure
  })
  return { taskId: task.id, status: task.status, statusReason: task.statusReason }
}

/** A second task for the same document would be signed, too. */
const LOOK_FOR_IT = 'List the tasks with its externalDocId: if it is not among them, send it again.'

/** Returns what else is wrong with a body whose shape is wrong. */
export const examine = async (context: SenderContext, body: unknown): Promise<string[]> =>
  (await examineCreate(context, readDraft(body))).errors
