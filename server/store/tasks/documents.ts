/** The PDFs of a task, as received and as signed; sealed, and apart from the task. Callers have established whose task it is. */

import type { DocumentKind } from '../../domain/task/document-kind.ts'
import type { StoreContext } from '../context.ts'
import { bindings } from '../sealing/bindings.ts'

export function documents({ db, cipher }: StoreContext) {
  return {
    async insert(taskId: number, kind: DocumentKind, pdf: Uint8Array, sha256: string, at: Date): Promise<void> {
      await db
        .insertInto('document')
        .values({
          taskId,
          kind,
          sealed: cipher.seal(pdf, bindings.document(taskId, kind)),
          sha256,
          bytes: pdf.length,
          createdAt: at.toISOString(),
        })
        .execute()
    },

    async find(taskId: number, kind: DocumentKind): Promise<{ pdf: Buffer; sha256: string } | null> {
      const row = await db
        .selectFrom('document')
        .select(['sealed', 'sha256'])
        .where('taskId', '=', taskId)
        .where('kind', '=', kind)
        .executeTakeFirst()
      return row ? { pdf: cipher.open(row.sealed, bindings.document(taskId, kind)), sha256: row.sha256 } : null
    },
  }
}
