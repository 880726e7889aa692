/** Keeps what a signer has filled in and not signed yet. */
import { useState } from 'preact/hooks'
import type { Opened } from '../../../operations/signer/messages.ts'
import { keepDraft } from '../drafts/drafts.ts'

/** A drawn signature is a PNG as Base64; `keep` says that it is stored for the next time. */
export type Signature = { kind: 'typed' } | { kind: 'drawn'; png: string; keep: boolean }

export type FieldValue = string | boolean

export interface Draft {
  /** Values by index into the fields of the document. */
  values: Readonly<Record<number, FieldValue>>
  signature: Signature | null
}

/**
 * Returns the draft of a document, with functions that fill in a field and adopt a signature.
 * @param kept the draft as it was left before; null when there is none
 */
export function useDraft(opened: Opened, kept: Draft | null) {
  const [draft, setDraft] = useState<Draft>(kept ?? prefilled(opened))
  const change = (part: Partial<Draft>) => {
    const next = { ...draft, ...part }
    keepDraft(opened, next)
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
