/** The PDFs of a task, as received and as signed; sealed, and apart from the task. Callers have established whose task it is. */

import { giveBack } from '../../../lib/memory.ts'
import type { DocumentKind } from '../../domain/task/document-kind.ts'
import type { StoreContext } from '../context.ts'
import { bindings } from '../sealing/bindings.ts'

export function documents({ db, cipher }: StoreContext) {
  const indexOf = (taskId: number, content: string) => cipher.index(content, `task/${taskId}/signed-content`)
  return {
    /** @param content of the signature, of which a keyed digest is kept: see `signed-content.ts`; null without one */
    async insert(
      taskId: number,
      kind: DocumentKind,
      pdf: Uint8Array,
      sha256: string,
      at: Date,
      content: string | null = null,
    ): Promise<void> {
      const sealed = await cipher.sealLarge(pdf, bindings.document(taskId, kind))
      const contentIndex = content === null ? null : indexOf(taskId, content)
      const row = { taskId, kind, sealed, sha256, bytes: pdf.length, contentIndex, createdAt: at.toISOString() }
      await db.insertInto('document').values(row).execute()
      giveBack(sealed)
    },

    async find(taskId: number, kind: DocumentKind): Promise<{ pdf: Buffer; sha256: string } | null> {
      const row = await db
        .selectFrom('document')
        .select(['sealed', 'sha256'])
        .where('taskId', '=', taskId)
        .where('kind', '=', kind)
        .executeTakeFirst()
      if (!row) return null
      const pdf = await cipher.openLarge(row.sealed, bindings.document(taskId, kind))
      giveBack(row.sealed)
      return { pdf, sha256: row.sha256 }
    },

    /** Whether the task was signed with exactly this content. */
    async wasSignedWith(taskId: number, content: string): Promise<boolean> {
      const signed = db.selectFrom('document').select('contentIndex').where('taskId', '=', taskId)
      const row = await signed.where('kind', '=', 'signed').executeTakeFirst()
      return row?.contentIndex === indexOf(taskId, content)
    },
  }
}
