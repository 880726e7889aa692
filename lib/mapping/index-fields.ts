/** The fields that the index of a document can have. A map names the sender's columns for them; these names are the default. */
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
