/**
 * Everything that can be wrong with a create beyond its shape: the catalog, the dates and the document. It reads what it can
 * of any body, so that a request with errors of shape gets these in the same answer.
 */
import type { z } from 'zod'
import { Annotations, TaskDocument } from '../../lib/contract/document.ts'
import { Patient } from '../../lib/contract/patient.ts'
import { id } from '../../lib/contract/primitives.ts'
import { jsonProblems } from '../../lib/pdf/placement.ts'
import { brokenRules } from '../domain/rules.ts'
import type { OperationContext } from './operation.ts'

export interface Examination {
  errors: string[]
  isTooLarge: boolean
  /** Present when the attachment is a PDF that we accept. */
  source: { pdf: Uint8Array; sha256: string } | null
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
      template: templateId === null ? null : await context.store.templates.find(templateId),
    },
    context.at.toISOString().slice(0, 10),
  )
  const source = await examineDocument(context, property(document, 'attachment'), readable(Annotations, annotations))
  return { ...source, errors: [...rules, ...source.errors] }
}

async function examineDocument(
  { pdf }: OperationContext,
  attachment: unknown,
  annotations: Annotations | null,
): Promise<Examination> {
  if (typeof attachment !== 'string' || attachment === '') return { errors: [], isTooLarge: false, source: null }
  const inspected = await pdf.inspect(attachment)
  if (!inspected.ok)
    return {
      errors: [`document.attachment: ${inspected.problem}`],
      isTooLarge: inspected.tooLarge === true,
      source: null,
    }
  const outside = annotations?.type === 'Json' ? jsonProblems(annotations.data, inspected.pages) : []
  return { errors: outside, isTooLarge: false, source: { pdf: inspected.pdf, sha256: inspected.sha256 } }
}

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined

function readable<S extends z.ZodType>(schema: S, value: unknown): z.output<S> | null {
  const result = schema.safeParse(value)
  return result.success ? result.data : null
}
