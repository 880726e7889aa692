/** What a signer has filled in and not signed yet. In the memory of the page only, and gone with the session. */
import type { Opened } from '../../../operations/signer/messages.ts'

/** A drawn signature is a PNG as Base64. */
export type Signature = { kind: 'typed' } | { kind: 'drawn'; png: string; keep: boolean }

export interface Draft {
  /** By index into the fields of the document. */
  values: Readonly<Record<number, string | boolean>>
  signature: Signature | null
}

const drafts = new Map<number, Draft>()

export const draftOf = ({ taskId, fields }: Opened): Draft =>
  drafts.get(taskId) ?? {
    values: Object.fromEntries(fields.flatMap(({ value }, index) => (value ? [[index, value]] : []))),
    signature: null,
  }

export const keepDraft = (taskId: number, draft: Draft) => void drafts.set(taskId, draft)
export const dropDraft = (taskId: number) => void drafts.delete(taskId)
export const forgetDrafts = () => drafts.clear()
