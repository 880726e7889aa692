/**
 * The kinds of fields, a row each. Plain data, which the pages import too. How a kind is drawn and shown is not here: code that
 * does so has an entry for each kind, or does not compile.
 */

export interface FieldKind {
  /** The name shown to people. */
  name: string
  /** Part of the sentence that lists all kinds to senders. */
  description: string
  /** Asks for a field of this kind where it is in a document. spec: Resources › Smart annotation tokens */
  token: string
  /** In points, of a field that was asked for without a box. choice: Sizes of fields */
  size: readonly [width: number, height: number]
  /** The least that such a field is made, so that it does not lie over text. choice: Sizes of fields */
  smallest: readonly [width: number, height: number]
  /** The source of the value: `signature` and `date` come from signing, `text` and `check` from the signer's hand. */
  value: 'signature' | 'date' | 'text' | 'check'
  /** The value that a scripted signer enters; null where signing fills the field in. */
  sample: string | true | null
}

export const fieldKinds = {
  VisibleSignature: {
    name: 'Signature',
    description: 'Signature stamp',
    token: '{SVC-signature-owner1}',
    size: [180, 36],
    smallest: [90, 22],
    value: 'signature',
    sample: null,
  },
  DateSigned: {
    name: 'Date signed',
    description: 'date filled with the signature date',
    token: '{SVC-date-owner1}',
    size: [90, 14],
    smallest: [56, 11],
    value: 'date',
    sample: null,
  },
  TextArea: {
    name: 'Text',
    description: 'text box',
    token: '{SVC-text-owner1}',
    size: [200, 40],
    smallest: [80, 14],
    value: 'text',
    sample: 'Reviewed',
  },
  CheckBox: {
    name: 'Checkbox',
    description: 'checkbox',
    token: '{SVC-checkBox-owner1}',
    size: [12, 12],
    smallest: [12, 12],
    value: 'check',
    sample: true,
  },
} as const satisfies Record<string, FieldKind>

/** The name of a kind, as it is sent. */
export type FieldType = keyof typeof fieldKinds
export const fieldTypes = Object.keys(fieldKinds) as FieldType[]
export const fieldKind = (type: FieldType): FieldKind => fieldKinds[type]

/** Text of one field, in characters: what a sender may pre-fill, and what a signer may write. spec: Resources › Task: annotations */
export const MAX_FIELD_TEXT = 4000

/** Returns what the signer finds in a field: the sender's text in one for text, null in all others. */
export const prefilled = (type: FieldType, text: string | null | undefined): string | null =>
  fieldKind(type).value === 'text' ? (text ?? null) : null

/** Whether the signer has something to fill in, beyond signing. */
export const isForSigner = (type: FieldType): boolean => fieldKind(type).sample !== null
