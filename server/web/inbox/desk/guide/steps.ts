/** Lists the steps that are left in a document, in reading order. Pure. */
import { type FieldKind, fieldKinds } from '../../../../../lib/contract/task/field-kinds.ts'
import { fieldNames, readingOrder } from '../../../../../lib/pdf/placement/field-names.ts'
import type { Opened } from '../../../../operations/signer/messages.ts'
import { t } from '../../../words/words.ts'
import type { Draft, FieldValue, Signature } from '../draft.ts'

export interface Step {
  /** The index among the fields of the document; of a signature at the end the one after them. */
  index: number
  /** Null for a signature at the end, which has no field. */
  page: number | null
  label: string
  kind: FieldKind['value']
  /** There is room for a word, and no more. */
  isShort: boolean
  /** Has to be done before the document can be signed. */
  isRequired: boolean
  isDone: boolean
  /** Nothing to do: it is filled in when the document is signed. */
  isAutomatic: boolean
}

/** In points: a text field of at most this size is offered the initials. */
const SHORT_WIDTH = 100
const SHORT_HEIGHT = 24

/** Returns a step for each field, in reading order, and one for a signature that has none. */
export function stepsOf(
  { fields, signaturePlace }: Pick<Opened, 'fields' | 'signaturePlace'>,
  { values, signature }: Draft,
): Step[] {
  const names = fieldNames(fields)
  const steps = readingOrder(fields).map((index): Step => {
    const { page, type, required, box } = fields[index]!
    const { value: kind } = fieldKinds[type]
    return {
      index,
      page,
      label: names[index]!.replace(fieldKinds[type].name, t(`field.${type}`)),
      kind,
      isShort: box.right - box.left <= SHORT_WIDTH && box.bottom - box.top <= SHORT_HEIGHT,
      ...progress(kind, required, values[index], signature),
    }
  })
  if (signaturePlace !== 'certificatePage') return steps
  const label = t('field.VisibleSignature')
  const atEnd = progress('signature', true, undefined, signature)
  return [...steps, { index: fields.length, page: null, label, kind: 'signature', isShort: false, ...atEnd }]
}

function progress(
  kind: Step['kind'],
  required: boolean,
  value: FieldValue | undefined,
  signature: Signature | null,
): Pick<Step, 'isRequired' | 'isDone' | 'isAutomatic'> {
  switch (kind) {
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

/** Returns the next required step that is not done: the first after the given field, else the first of all, else null. */
export function nextStep(steps: readonly Step[], afterIndex: number | null): Step | null {
  const left = steps.filter(({ isRequired, isDone }) => isRequired && !isDone)
  const at = steps.findIndex(({ index }) => index === afterIndex)
  return left.find((step) => steps.indexOf(step) > at) ?? left[0] ?? null
}
