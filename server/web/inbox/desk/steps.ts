/** What is left to do in a document, in reading order. Pure. */
import { type FieldType, fieldKinds } from '../../../../lib/contract/task/field-kinds.ts'
import type { Opened } from '../../../operations/signer/messages.ts'
import type { Draft, FieldValue, Signature } from './draft.ts'

export interface Step {
  /** Of the field among those of the document. */
  index: number
  page: number
  label: string
  /** Has to be done before the document can be signed. */
  isRequired: boolean
  isDone: boolean
  /** Nothing to do: it is filled in when the document is signed. */
  isAutomatic: boolean
}

/** Returns a step for each field, in reading order. */
export function stepsOf({ fields }: Pick<Opened, 'fields'>, { values, signature }: Draft): Step[] {
  const ordered = fields
    .map((field, index) => ({ ...field, index }))
    .sort((a, b) => a.page - b.page || a.box.top - b.box.top || a.box.left - b.box.left)
  return ordered.map(({ index, page, type, required }) => ({
    index,
    page,
    label: `${fieldKinds[type].name} ${ordinal(ordered, index)}`.trim(),
    ...progress(type, required, values[index], signature),
  }))
}

function progress(
  type: FieldType,
  required: boolean,
  value: FieldValue | undefined,
  signature: Signature | null,
): Pick<Step, 'isRequired' | 'isDone' | 'isAutomatic'> {
  switch (fieldKinds[type].value) {
    // Every signature field shows the signature once it is given, so each counts as required.
    case 'signature':
      return { isRequired: true, isDone: signature !== null, isAutomatic: false }
    case 'date':
      return { isRequired: false, isDone: false, isAutomatic: true }
    case 'text':
      return { isRequired: required, isDone: typeof value === 'string' && value.trim() !== '', isAutomatic: false }
    case 'check':
      return { isRequired: required, isDone: value === true, isAutomatic: false }
  }
}

/** Tells fields of one type apart: `2` for the second; an empty text when there is only one. */
function ordinal(fields: readonly { index: number; type: string }[], index: number): string {
  const { type } = fields.find((field) => field.index === index)!
  const alike = fields.filter((field) => field.type === type)
  return alike.length > 1 ? String(alike.findIndex((field) => field.index === index) + 1) : ''
}

/** Returns the next required step that is not done: the first after the given field, else the first of all, else null. */
export function nextStep(steps: readonly Step[], afterIndex: number | null): Step | null {
  const left = steps.filter(({ isRequired, isDone }) => isRequired && !isDone)
  const at = steps.findIndex(({ index }) => index === afterIndex)
  return left.find((step) => steps.indexOf(step) > at) ?? left[0] ?? null
}
