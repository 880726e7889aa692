/**
 * A create as far as it can be read: what rules beyond its shape look at. With it a sender whose body has errors of shape reads
 * all its other errors in the same answer. spec: Errors
 */
import * as z from 'zod'
import { id } from '../primitives.ts'
import { MAX_ANNOTATIONS, Place, TaskDocument } from './document.ts'
import { Patient } from './patient.ts'
import type { CreateTask } from './task.ts'

/** What is missing or wrong is null, and has an error of its own from the schema of the create. */
export interface DraftTask {
  birthDate: string | null
  effectiveDate: string | null
  documentTypeId: number | null
  templateId: number | null
  hasDiagnosisCode: boolean
  /** Base64, not empty. */
  attachment: string | null
  /** Where the fields of a Json placement are to stand. */
  places: readonly Place[]
}

/** Of a body that was parsed already. */
export const draftOf = ({ patient, document }: CreateTask): DraftTask => ({
  birthDate: patient.birthDate,
  effectiveDate: document.effectiveDate,
  documentTypeId: document.documentTypeId,
  templateId: document.annotations.templateId ?? null,
  hasDiagnosisCode: typeof document.diagnosisCode === 'string',
  attachment: document.attachment,
  places: document.annotations.type === 'Json' ? document.annotations.data : [],
})

/** Of any body. Never throws. */
export function readDraft(body: unknown): DraftTask {
  const { patient, document } = Readable.parse(body) ?? {}
  const { annotations } = document ?? {}
  return {
    birthDate: patient?.birthDate ?? null,
    effectiveDate: document?.effectiveDate ?? null,
    documentTypeId: document?.documentTypeId ?? null,
    templateId: annotations?.templateId ?? null,
    hasDiagnosisCode: typeof document?.diagnosisCode === 'string',
    attachment: document?.attachment || null,
    places: annotations?.type === 'Json' ? (annotations.data ?? []) : [],
  }
}

const orNull = <S extends z.ZodType>(schema: S) => schema.nullable().catch(null)

/** A place that cannot be read has its own error and stands anywhere here. */
const ANYWHERE: Place = { pageNumber: 1, left: 0, top: 0, right: 0, bottom: 0 }
const upToMost = (value: unknown) => (Array.isArray(value) ? value.slice(0, MAX_ANNOTATIONS) : value)

const Readable = orNull(
  z.object({
    patient: orNull(z.object({ birthDate: orNull(Patient.shape.birthDate) })),
    document: orNull(
      z.object({
        attachment: orNull(z.string()),
        effectiveDate: orNull(TaskDocument.shape.effectiveDate),
        documentTypeId: orNull(id()),
        diagnosisCode: orNull(z.string()),
        annotations: orNull(
          z.object({
            type: orNull(z.string()),
            templateId: orNull(id()),
            data: orNull(z.preprocess(upToMost, z.array(Place.catch(ANYWHERE)))),
          }),
        ),
      }),
    ),
  }),
)
