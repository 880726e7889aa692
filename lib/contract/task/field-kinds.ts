/**
 * The kinds of fields, a row each. Plain data, which the pages import too. How a kind is drawn and shown is not here: whatever
 * does so has an entry for each kind, or does not compile.
 */

export interface FieldKind {
  /** What people call it. */
  name: string
  /** Completes the sentence that tells senders of all kinds. */
  description: string
  /** Asks for a field of this kind where it stands in a document. spec: Resources › Smart annotation tokens */
  token: string
  /** In points, of a field that was asked for without a box. choice: Sizes of fields */
  size: readonly [width: number, height: number]
  /** What fills it in: the signer's signature or the day of signing, which signing gives, or what the signer writes or checks. */
  value: 'signature' | 'date' | 'text' | 'check'
  /** What a signer fills in who does not look at the document; null where signing does. */
  sample: string | true | null
}

export const fieldKinds = {
  VisibleSignature: {
    name: 'Signature',
    description: 'Signature stamp',
    token: '{SVC-signature-owner1}',
    size: [180, 36],
    value: 'signature',
    sample: null,
  },
  DateSigned: {
    name: 'Date signed',
    description: 'date filled with the signature date',
    token: '{SVC-date-owner1}',
    size: [90, 14],
    value: 'date',
    sample: null,
  },
  TextArea: {
    name: 'Text',
    description: 'text box',
    token: '{SVC-text-owner1}',
    size: [200, 40],
    value: 'text',
    sample: 'Reviewed',
  },
  CheckBox: {
    name: 'Checkbox',
    description: 'checkbox',
    token: '{SVC-checkBox-owner1}',
    size: [12, 12],
    value: 'check',
    sample: true,
  },
} as const satisfies Record<string, FieldKind>

/** As it travels on the wire. */
export type FieldType = keyof typeof fieldKinds
export const fieldTypes = Object.keys(fieldKinds) as FieldType[]
export const fieldKind = (type: FieldType): FieldKind => fieldKinds[type]

/** Text of one field, in characters: what a sender may pre-fill, and what a signer may write. spec: Resources › Task: annotations */
export const MAX_FIELD_TEXT = 4000

/** What the signer finds in a field: the text that the sender gave for one of text, null in all others. */
export const prefilled = (type: FieldType, text: string | null | undefined): string | null =>
  fieldKind(type).value === 'text' ? (text ?? null) : null

/** Whether the signer has something to fill in, beyond signing. */
export const isForSigner = (type: FieldType): boolean => fieldKind(type).sample !== null
