/**
 * Everything that can be wrong with a create beyond its shape: the catalog, the dates and the document. It reads what it can
 * of any body, so that a request with errors of shape gets these in the same answer.
 */
import type { z } from 'zod'
import { MAX_ANNOTATIONS, Place, TaskDocument } from '../../lib/contract/document.ts'
import { Patient } from '../../lib/contract/patient.ts'
import { id } from '../../lib/contract/primitives.ts'
import { jsonProblems } from '../../lib/pdf/placement.ts'
import { brokenRules } from '../domain/rules.ts'
import type { NewTask } from '../store/new-task.ts'
import type { OperationContext } from './operation.ts'
import { property } from './property.ts'

export interface Examination {
  errors: string[]
  isTooLarge: boolean
  /** Present when the attachment is a PDF that we accept, prepared as the organization wishes. */
  source: Pick<NewTask, 'pdf' | 'sha256' | 'receivedSha256' | 'preparations'> | null
}

export async function examineCreate(context: OperationContext, body: unknown): Promise<Examination> {
  const document = property(body, 'document')
  const annotations = property(document, 'annotations')
  const documentTypeId = readable(id(), property(document, 'documentTypeId'))
  const templateId = readable(id(), property(annotations, 'templateId'))
  const rules = brokenRules(
    {
      birthDate: readable(Patient.shape.birthDate, property(property(body, 'patient'), 'birthDate')),
      effectiveDate: readable(TaskDocument.shape.effectiveDate, property(document, 'effectiveDate')),
      hasDiagnosisCode: typeof property(document, 'diagnosisCode') === 'string',
      documentTypeId,
      templateId,
    },
    {
      documentTypeIsKnown: documentTypeId !== null && (await context.shared.documentTypes.has(documentTypeId)),
      template: templateId === null ? null : await context.store.templates.findOffered(templateId),
    },
    context.at.toISOString().slice(0, 10),
  )
  const source = await examineDocument(context, property(document, 'attachment'), placesOf(annotations))
  return { ...source, errors: [...rules, ...source.errors] }
}

async function examineDocument(
  { pdf, store }: OperationContext,
  attachment: unknown,
  places: readonly Place[],
): Promise<Examination> {
  if (typeof attachment !== 'string' || attachment === '') return { errors: [], isTooLarge: false, source: null }
  const inspected = await pdf.inspect(attachment, await store.activeContent())
  if (!inspected.ok)
    return {
      errors: [`document.attachment: ${inspected.problem}`],
      isTooLarge: inspected.tooLarge === true,
      source: null,
    }
  const { ok, pages, ...source } = inspected
  return { errors: jsonProblems(places, pages), isTooLarge: false, source }
}

/** Where the fields of a Json placement are to stand. One that cannot be read has its own error and stands anywhere here. */
function placesOf(annotations: unknown): Place[] {
  const data = property(annotations, 'data')
  if (property(annotations, 'type') !== 'Json' || !Array.isArray(data)) return []
  return data.slice(0, MAX_ANNOTATIONS).map((item) => readable(Place, item) ?? ANYWHERE)
}
const ANYWHERE: Place = { pageNumber: 1, left: 0, top: 0, right: 0, bottom: 0 }

function readable<S extends z.ZodType>(schema: S, value: unknown): z.output<S> | null {
  const result = schema.safeParse(value)
  return result.success ? result.data : null
}
