/** Finds everything that is wrong with a create beyond its shape: in the light of the catalog, the dates and the document. */
import type { DraftTask } from '../../../lib/contract/task/draft-task.ts'
import { jsonProblems } from '../../../lib/pdf/placement/placement.ts'
import { brokenRules } from '../../domain/task/rules.ts'
import type { NewTask } from '../../store/tasks/new-task.ts'
import type { SenderContext } from './sender-context.ts'

export interface Examination {
  errors: string[]
  isTooLarge: boolean
  /** The attachment, prepared by the settings of the organization; null unless it is a PDF that we accept. */
  document: Pick<NewTask, 'pdf' | 'sha256' | 'receivedSha256' | 'preparations'> | null
}

export async function examineCreate(context: SenderContext, draft: DraftTask): Promise<Examination> {
  const { documentTypeId, templateId } = draft
  const rules = brokenRules(
    draft,
    {
      documentTypeIsKnown: documentTypeId !== null && (await context.shared.documentTypes.has(documentTypeId)),
      template: templateId === null ? null : await context.store.templates.findOffered(templateId),
    },
    context.at.toISOString().slice(0, 10),
  )
  const examined = await examineDocument(context, draft)
  return { ...examined, errors: [...rules, ...examined.errors] }
}

async function examineDocument({ pdf, store }: SenderContext, { attachment, places }: DraftTask): Promise<Examination> {
  if (attachment === null) return { errors: [], isTooLarge: false, document: null }
  const inspected = await pdf.inspect(attachment, await store.activeContent())
  if (!inspected.ok) {
    const { problem, tooLarge = false } = inspected
    return { errors: [`document.attachment: ${problem}`], isTooLarge: tooLarge, document: null }
  }
  const { ok, pages, ...document } = inspected
  return { errors: jsonProblems(places, pages), isTooLarge: false, document }
}
