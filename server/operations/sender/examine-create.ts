/** Finds everything that is wrong with a create beyond its shape: in the light of the catalog, the dates and the document. */
import type { DraftTask } from '../../../lib/contract/task/draft-task.ts'
import { giveBack } from '../../../lib/memory.ts'
import type { PageSize } from '../../../lib/pdf/geometry.ts'
import { placesFromTopLeft } from '../../../lib/pdf/placement/origin.ts'
import { jsonProblems } from '../../../lib/pdf/placement/placement.ts'
import { BUSY_RETRY_MS } from '../../choices.ts'
import { Busy } from '../../domain/refusal.ts'
import { brokenRules, unstampableValues } from '../../domain/task/rules.ts'
import { coveredCharacters } from '../../pdf/ink/covered.ts'
import type { NewTask } from '../../store/tasks/new-task.ts'
import type { SenderContext } from './sender-context.ts'

export interface Examination {
  errors: string[]
  isTooLarge: boolean
  /** The attachment, prepared by the settings of the organization; null unless it is a PDF that we accept. */
  document: Pick<NewTask, 'pdf' | 'sha256' | 'receivedSha256' | 'preparations'> | null
  /** Of the attachment. */
  pages: readonly PageSize[]
}

export async function examineCreate(context: SenderContext, draft: DraftTask): Promise<Examination> {
  const { documentTypeId, templateId } = draft
  const template = templateId === null ? null : await context.store.templates.findOffered(templateId)
  const rules = brokenRules(
    draft,
    {
      documentTypeIsKnown: documentTypeId !== null && (await context.shared.documentTypes.has(documentTypeId)),
      template,
    },
    context.at.toISOString().slice(0, 10),
  )
  const unstampable = unstampableValues(draft, template, coveredCharacters())
  const examined = await examineDocument(context, draft)
  return { ...examined, errors: [...rules, ...unstampable, ...examined.errors] }
}

async function examineDocument(
  { pdf, store, profile, attachmentOf, isGone }: SenderContext,
  { attachment, places }: DraftTask,
): Promise<Examination> {
  if (attachment === null) return { errors: [], isTooLarge: false, document: null, pages: [] }
  const sent = attachmentOf(attachment)
  const inspected = await pdf.inspect(sent, await store.activeContent(), () => !isGone())
  giveBack(sent)
  if (!inspected.ok) {
    const { problem, tooLarge = false, isForNow } = inspected
    if (isForNow) throw new Busy(BUSY_RETRY_MS, `document.attachment: ${problem}`)
    return { errors: [`document.attachment: ${problem}`], isTooLarge: tooLarge, document: null, pages: [] }
  }
  const { ok, pages, ...document } = inspected
  const fromTop = placesFromTopLeft(places, profile.coordinates.origin, pages)
  return { errors: jsonProblems(fromTop, pages), isTooLarge: false, document, pages }
}
