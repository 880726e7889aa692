/** Values that are planted where only the sender, the signer and the sealed store may read them, and the search for them elsewhere. */

/** Nothing else in the project says any of this. */
export const CANARY = {
  externalId: 'QVX-PATIENT-77',
  family: 'Qvxhollander',
  given: 'Qvxmarietta',
  birthDate: '1931-11-23',
  line: '88 Qvx Sparrow Court',
  city: 'Qvxville',
  // Longer than digits that occur by chance in a time, a port or a hash.
  postalCode: '55899-QVX7',
  phone: '218-555-7788-qvx',
  mrn: 'QVXMR77881',
  ssn: '987-65-4329',
  diagnosisCode: 'QVX-C50.911',
  externalDocId: 'QVX|DOC|7788',
  value: 'Qvx metastatic note',
  referenceText: 'Qvx phrase of the document',
  reason: 'Qvx the patient moved to hospice',
  rejection: 'Qvx wrong dose for this patient',
  savedId: 'QVX-SAVED-7788',
  documentText: 'Qvx content of the page',
  webhookPath: 'qvx-webhook-path',
  description: 'Qvx description of the receiver',
  email: 'qvx.person@example.org',
  password: 'qvx-password-of-a-person',
  key: 'csk_test_QvxQvxQvxQv_QvxQvxQvxQvxQvxQvxQvxQvxQvxQvxQvxQvxQvxQvxQ_Qvx123',
  stray: 'Qvx value of an unknown field',
} as const

/** Returns a function that tells whether the text holds a value: as it stands, as a URL or JSON escapes it, in Base64 or in hexadecimal digits. */
export function searched(text: string): (value: string) => boolean {
  const lower = text.toLowerCase()
  return (value) => {
    // A word this short occurs in digests by chance; as a word of its own it does not.
    if (value.length < SHORTEST) return new RegExp(`\\b${value}\\b`).test(text)
    const bytes = Buffer.from(value)
    // Base64 of a part depends on the offset at which the part begins; only what lies between its ends is the same.
    const base64s = [0, 1, 2].map((shift) =>
      Buffer.concat([Buffer.alloc(shift), bytes])
        .toString('base64')
        .replace(/=+$/, '')
        .slice(shift === 0 ? 0 : 4, -2),
    )
    const forms = [value, encodeURIComponent(value), value.replaceAll(' ', '+'), JSON.stringify(value).slice(1, -1)]
    return (
      forms.some((form) => lower.includes(form.toLowerCase())) ||
      base64s.some((form) => form.length > 6 && text.includes(form)) ||
      lower.includes(bytes.toString('hex'))
    )
  }
}

export const isIn = (text: string, value: string): boolean => searched(text)(value)

const SHORTEST = 6
