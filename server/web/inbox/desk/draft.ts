/** What a signer has filled in and not signed yet. It is kept in the memory of the page only, and forgotten with the session. */
import { useState } from 'preact/hooks'
import type { Opened } from '../../../operations/signer/messages.ts'

/** A drawn signature is a PNG as Base64; `keep` says that it is stored for the next time. */
export type Signature = { kind: 'typed' } | { kind: 'drawn'; png: string; keep: boolean }

export type FieldValue = string | boolean

export interface Draft {
  /** By index into the fields of the document. */
  values: Readonly<Record<number, FieldValue>>
  signature: Signature | null
}

const drafts = new Map<number, Draft>()

/** Returns the draft of a document, with functions that fill in a field and adopt a signature. */
export function useDraft(opened: Opened) {
  const [draft, setDraft] = useState<Draft>(() => drafts.get(opened.taskId) ?? prefilled(opened))
  const change = (part: Partial<Draft>) => {
    const next = { ...draft, ...part }
    drafts.set(opened.taskId, next)
    setDraft(next)
  }
  return {
    draft,
    fill: (index: number, value: FieldValue) => change({ values: { ...draft.values, [index]: value } }),
    adopt: (signature: Signature) => change({ signature }),
  }
}

const prefilled = ({ fields }: Opened): Draft => ({
  values: Object.fromEntries(fields.flatMap(({ value }, index) => (value ? [[index, value]] : []))),
  signature: null,
})

export const dropDraft = (taskId: number) => void drafts.delete(taskId)
export const forgetDrafts = () => drafts.clear()
