/** Finds everything that is wrong with a create beyond its shape: in the light of the catalog, the dates and the document. */
import type { Annotations } from '../../../lib/contract/task/annotations.ts'
import type { DraftTask } from '../../../lib/contract/task/draft-task.ts'
import { giveBack } from '../../../lib/memory.ts'
import type { PageSize } from '../../../lib/pdf/geometry.ts'
import type { EarlyPlacement } from '../../../lib/pdf/placement/early-placement.ts'
import { placesFromTopLeft } from '../../../lib/pdf/placement/origin.ts'
import { jsonProblems } from '../../../lib/pdf/placement/placement.ts'
import { dayAt } from '../../../lib/time-zone.ts'
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
  /** Where its fields are, when that was found out, too. */
  placedEarly: EarlyPlacement | null
  /** The pages of the attachment. */
  pages: readonly PageSize[]
}

/** @param annotations to be placed while the document is open; null for none */
export async function examineCreate(
  context: SenderContext,
  draft: DraftTask,
  annotations: Annotations | null,
): Promise<Examination> {
  const { documentTypeId, templateId } = draft
  const template = templateId === null ? null : await context.store.templates.findOffered(templateId)
  const rules = brokenRules(
    draft,
    {
      documentTypeIsKnown: documentTypeId !== null && (await context.shared.documentTypes.has(documentTypeId)),
      template,
    },
    dayAt(await context.store.timeZone(), context.at),
  )
  const unstampable = unstampableValues(draft, template, coveredCharacters())
  const examined = await examineDocument(context, draft, annotations)
  return { ...examined, errors: [...rules, ...unstampable, ...examined.errors] }
}

async function examineDocument(
  { pdf, store, profile, attachmentOf, isGone }: SenderContext,
  { attachment, places }: DraftTask,
  annotations: Annotations | null,
): Promise<Examination> {
  if (attachment === null) return { ...NO_DOCUMENT, errors: [] }
  const { origin } = profile.coordinates
  const sent = attachmentOf(attachment)
  const { activeContent: policy, documents } = await store.documentSettings()
  const inspected = await pdf.inspect(sent, {
    policy,
    documents,
    wanted: annotations && { annotations, origin },
    isAwaited: () => !isGone(),
  })
  giveBack(sent)
  if (!inspected.ok) {
    const { problem, tooLarge = false, isForNow } = inspected
    if (isForNow) throw new Busy(BUSY_RETRY_MS, `document.attachment: ${problem}`)
    return { ...NO_DOCUMENT, errors: [`document.attachment: ${problem}`], isTooLarge: tooLarge }
  }
  const { ok, pages, placedEarly, ...document } = inspected
  const fromTop = placesFromTopLeft(places, origin, pages)
  return { errors: jsonProblems(fromTop, pages), isTooLarge: false, document, placedEarly, pages }
}

const NO_DOCUMENT: Omit<Examination, 'errors'> = { isTooLarge: false, document: null, placedEarly: null, pages: [] }
