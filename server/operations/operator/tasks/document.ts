/** The PDF of a task, for those who look after the service, as its setting allows. Each that is opened is audited. choice: Documents in the console */
import * as z from 'zod'
import { docs } from '../../../../lib/contract/docs.ts'
import { ErrorBody } from '../../../../lib/contract/error.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { STAFF_KINDS, type StaffDocuments, type StaffKind } from '../../../domain/staff-documents.ts'
import type { PdfAnswer } from '../../row.ts'
import { idParams } from '../id-params.ts'
import { operatorRow, STAFF } from '../operator-context.ts'

export const readTaskDocument = operatorRow({
  method: 'get',
  path: '/admin/v1/tasks/:id/documents/:kind',
  group: 'Tasks',
  summary: 'Open the PDF of a task, signed or as it was received, as --staff-documents allows',
  who: STAFF,
  params: idParams('the task').extend({
    kind: z.enum(STAFF_KINDS).register(docs, {
      title: 'Kind',
      description: 'Which PDF: as it came when it was drawn, as the signer is shown it, or as it was signed.',
      examples: ['signed'],
    }),
  }),
  taskId: 'id',
  responses: { 200: 'pdf', 403: ErrorBody, 404: ErrorBody },
  async run({ store, scope, by, at, staffDocuments }, { params: { id, kind } }): Promise<PdfAnswer> {
    if (!kindsFor(staffDocuments).includes(kind))
      throw new Refusal('forbidden', 'This service does not show this document in the console; see --staff-documents.')
    const pdf = await store.overview(scope).document(id, kind, by, at)
    if (!pdf) throw new Refusal('notFound', `There is no such document of task ${id}.`)
    const fileName = `task-${id}-${kind}.pdf`
    // As it came it is only saved: what it holds was not checked.
    if (kind === 'original') return { pdf, fileName, disposition: 'attachment' }
    return { pdf, fileName, disposition: 'inline', isFramed: true }
  },
})

/** Returns which documents may be opened. */
export function kindsFor(setting: StaffDocuments): readonly StaffKind[] {
  if (setting === 'none') return []
  return setting === 'signed' ? ['signed'] : STAFF_KINDS
}
