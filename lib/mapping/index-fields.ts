/** What the index of a document can say of it. A map names the sender's columns for them; without it they have these names. */
export const indexFields = [
  'action',
  'documentId',
  'replaces',
  'documentType',
  'date',
  'diagnosis',
  'signer',
  'organization',
  'patientId',
  'patientIdAuthority',
  'ssn',
  'family',
  'given',
  'sex',
  'birthDate',
  'street',
  'city',
  'state',
  'postalCode',
  'phone',
] as const
export type IndexField = (typeof indexFields)[number]
