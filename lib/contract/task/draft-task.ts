/**
 * Reads what it can of a create whose shape is wrong, so that the rules beyond its shape also run and its sender gets all
 * errors in one answer. spec: Errors
 */
import * as z from 'zod'
import { id, isGiven } from '../primitives.ts'
import { MAX_ANNOTATIONS, Place, TaskDocument } from './document.ts'
import { Patient } from './patient.ts'
import type { CreateTask } from './task.ts'

/** A part that is missing or wrong is null; the schema of the create reports it. */
export interface DraftTask {
  birthDate: string | null
  effectiveDate: string | null
  documentTypeId: number | null
  templateId: number | null
  /** Also when it is of a wrong type, which is an error of its own. */
  hasDiagnosisCode: boolean
  /** Base64, not empty. */
  attachment: string | null
  /** Where the fields of a Json placement are to be. */
  places: readonly Place[]
  /** Pre-filled values by index into the annotations; null for none. */
  values: readonly (string | null)[]
}

/** Returns the draft of a body that was parsed. */
export const draftOf = ({ patient, document }: CreateTask): DraftTask => ({
  birthDate: patient.birthDate,
  effectiveDate: document.effectiveDate,
  documentTypeId: document.documentTypeId,
  templateId: document.annotations.templateId ?? null,
  hasDiagnosisCode: isGiven(document.diagnosisCode),
  attachment: document.attachment,
  places: document.annotations.type === 'Json' ? document.annotations.data : [],
  values: 'data' in document.annotations ? document.annotations.data.map(({ value }) => value ?? null) : [],
})

/** Returns the draft of any body. Never throws. */
export function readDraft(body: unknown): DraftTask {
  const { patient, document } = Draft.parse(body) ?? {}
  const { annotations } = document ?? {}
  const data = annotations?.data ?? []
  return {
    birthDate: patient?.birthDate ?? null,
    effectiveDate: document?.effectiveDate ?? null,
    documentTypeId: document?.documentTypeId ?? null,
    templateId: annotations?.templateId ?? null,
    hasDiagnosisCode: isGiven(document?.diagnosisCode),
    attachment: document?.attachment || null,
    places: annotations?.type === 'Json' ? data.map(({ place }) => place) : [],
    values: data.map(({ value }) => value),
  }
}

const orNull = <S extends z.ZodType>(schema: S) => schema.nullable().catch(null)

/** Replaces a place that cannot be read, which has an error of its own. */
const ANYWHERE: Place = { pageNumber: 1, left: 0, top: 0, right: 0, bottom: 0 }
const upToMost = (value: unknown) => (Array.isArray(value) ? value.slice(0, MAX_ANNOTATIONS) : value)

const Value = z.object({ value: orNull(z.string()) })
const Item = z.unknown().transform((item) => ({
  place: Place.catch(ANYWHERE).parse(item),
  value: Value.safeParse(item).data?.value ?? null,
}))

const Draft = orNull(
  z.object({
    patient: orNull(z.object({ birthDate: orNull(Patient.shape.birthDate) })),
    document: orNull(
      z.object({
        attachment: orNull(z.string()),
        effectiveDate: orNull(TaskDocument.shape.effectiveDate),
        documentTypeId: orNull(id()),
        diagnosisCode: z.unknown().optional(),
        annotations: orNull(
          z.object({
            type: orNull(z.string()),
            templateId: orNull(id()),
            data: orNull(z.preprocess(upToMost, z.array(Item))),
          }),
        ),
      }),
    ),
  }),
)
