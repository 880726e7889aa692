/**
 * The PDFs of a task, of the kinds of `document-kind.ts`; encrypted, and apart from the task: in the database, or in a bucket, which
 * gets the encrypted bytes alone. Their wrapped key stays in the row. Callers have established whose task it is.
 */
import { giveBack, isLarge } from '../../../lib/memory.ts'
import type { DocumentKind } from '../../domain/task/document-kind.ts'
import type { StoreContext, TransactionContext } from '../context.ts'
import { newObject, nowNamed } from '../objects/unnamed-objects.ts'
import { bindings } from '../sealing/bindings.ts'
import type { SealedApart } from '../sealing/cipher.ts'
import { later } from '../sql/later.ts'

/** A PDF on its way into the store, with what is in the bucket already. */
export interface LaidDown {
  pdf: Uint8Array
  sha256: string
  elsewhere: { object: string; keyFor: SealedApart['keyFor'] } | null
}

/** Before the transaction that inserts it: puts it into the bucket where there is one, and resolves when it is there. */
export async function layDown(
  context: StoreContext,
  { pdf, sha256 }: Pick<LaidDown, 'pdf' | 'sha256'>,
  at: Date,
): Promise<LaidDown> {
  const { bucket, cipher, newDocumentsIn } = context
  if (!bucket || newDocumentsIn === 'database') return { pdf, sha256, elsewhere: null }
  const object = await newObject(context, at)
  const { body, keyFor } = await cipher.sealApart(pdf, bindings.object(object))
  await bucket.put(object, body)
  giveBack(body)
  return { pdf, sha256, elsewhere: { object, keyFor } }
}

/** The bucket does not have what the database names. */
export class DocumentMissing extends Error {
  override readonly name = 'DocumentMissing'
  constructor() {
    super('The object of a document is not in the bucket.')
  }
}

export function documents(context: StoreContext) {
  const { db, cipher } = context
  const indexOf = (taskId: number, content: string) => cipher.index(content, `task/${taskId}/signed-content`)
  return {
    async find(taskId: number, kind: DocumentKind): Promise<{ pdf: Buffer; sha256: string } | null> {
      const row = await db
        .selectFrom('document')
        .select(['sealed', 'sha256', 'object', 'bytes'])
        .where('taskId', '=', taskId)
        .where('kind', '=', kind)
        .executeTakeFirst()
      if (!row) return null
      const { sealed, sha256, object, bytes } = row
      const binding = bindings.document(taskId, kind)
      const openWith = (body: Uint8Array | null) => {
        if (!body || object === null) throw new DocumentMissing()
        return cipher.openApart(sealed, binding, body, bindings.object(object))
      }
      const pdf = await (object === null ? cipher.openLarge(sealed, binding) : context.fetch(object, bytes, openWith))
      giveBack(sealed)
      return { pdf, sha256 }
    },

    async has(taskId: number, kind: DocumentKind): Promise<boolean> {
      const found = db.selectFrom('document').select('taskId').where('taskId', '=', taskId).where('kind', '=', kind)
      return (await found.executeTakeFirst()) !== undefined
    },

    /** Whether the task was signed with exactly this content. */
    async wasSignedWith(taskId: number, content: string): Promise<boolean> {
      const signed = db.selectFrom('document').select('contentIndex').where('taskId', '=', taskId)
      const row = await signed.where('kind', '=', 'signed').executeTakeFirst()
      return row?.contentIndex === indexOf(taskId, content)
    },
  }
}

/** In the transaction of what it belongs to. */
export const documentsInside = (inside: TransactionContext) => ({
  ...documents(inside),

  /** @param content of the signature, of which a keyed digest is kept: see `signed-content.ts`; null without one */
  async insert(
    taskId: number,
    kind: DocumentKind,
    { pdf, sha256, elsewhere }: LaidDown,
    at: Date,
    content: string | null = null,
  ): Promise<void> {
    const { db, cipher } = inside
    const binding = bindings.document(taskId, kind)
    const contentIndex = content === null ? null : cipher.index(content, `task/${taskId}/signed-content`)
    const facts = { taskId, kind, sha256, bytes: pdf.length, contentIndex, createdAt: at.toISOString() }
    if (elsewhere) await nowNamed(inside, elsewhere.object)
    const sealed = elsewhere ? elsewhere.keyFor(binding) : await cipher.sealLarge(pdf, binding)
    const insert = db.insertInto('document').values({ ...facts, sealed, object: elsewhere?.object ?? null })
    if (!isLarge(sealed)) return later(db, insert)
    // At once, because its memory is given back.
    await insert.execute()
    giveBack(sealed)
  },
})
