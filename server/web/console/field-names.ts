/** What the kinds of fields are called in the console. */
import type { FieldType } from '../../../lib/contract/document.ts'

export const fieldNames: Record<FieldType, string> = {
  VisibleSignature: 'Signature',
  DateSigned: 'Date signed',
  TextArea: 'Text',
  CheckBox: 'Checkbox',
}
