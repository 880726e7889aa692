/** The facts that every list of a signer shows about a document. */
import type { Patient } from '../../../lib/contract/task/patient.ts'
import type { StoreContext } from '../context.ts'
import type { Sealed } from '../sealing/cipher.ts'
import { type BoundRow, decisiveOf, requestOf, type TaskTexts } from '../tasks/task-row.ts'

export interface ListedDocument {
  taskId: number
  patient: Patient
  documentType: string
  /** The id that its sender gave it. */
  externalDocId: string
  /** YYYY-MM-DD */
  clinicalDate: string
  /** Name of the organization that sent it. */
  sender: string
}

export const documentsOf = ({ db }: StoreContext) =>
  db
    .selectFrom('task as t')
    .innerJoin('organization as sender', 'sender.id', 't.organizationId')
    .innerJoin('documentType as type', 'type.id', 't.documentTypeId')
    .select(['t.id', 't.sealedNotes', ...decisiveOf('t')])
    .select(['t.sealedRequest', 'sender.name as sender', 'type.name as documentType'])

export interface ListedRow extends BoundRow {
  sealedRequest: Sealed
  sender: string
  documentType: string
}

/** A row whose texts were opened and are genuine. */
export type OpenedRow = ListedRow & Pick<TaskTexts, 'externalDocId'>

export function listed(context: StoreContext, row: OpenedRow): ListedDocument {
  const { id, sender, documentType, externalDocId } = row
  const { patient, effectiveDate } = requestOf(context, row)
  return { taskId: id, patient, documentType, externalDocId, clinicalDate: effectiveDate, sender }
}
