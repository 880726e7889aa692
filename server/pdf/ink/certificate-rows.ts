/** Makes the rows of the certificate page, as labels with their texts. Pure; draws nothing. */
import { fieldKind } from '../../../lib/contract/task/field-kinds.ts'
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import { preparationSentences } from '../../../lib/pdf/prepare/preparation.ts'
import { dateIn, timeIn } from '../../../lib/time-zone.ts'
import type { Completion } from '../completion.ts'
import { textOf } from './stamp.ts'

export type CertificateRow = readonly [label: string, text: string]

/** Characters of a text that the page repeats; all of it is in its field. */
const MOST_SHOWN = 400

export function signerRows({
  signer,
  signedAt,
  timeZone,
  certificate,
  timestamp,
  ...completion
}: Completion): CertificateRow[] {
  const { authentication, address, device, consent } = certificate.circumstances
  const { onBehalfOf } = signer
  return [
    ['Name', signer.name],
    ['NPI', signer.npi],
    ...(onBehalfOf ? ([['On behalf of', `${onBehalfOf.name}, NPI ${onBehalfOf.npi}`]] as const) : []),
    ['Organization', signer.organization ?? 'not stated'],
    ['Signed at', timeIn(timeZone, signedAt)],
    ...(timestamp ? ([['Timestamp', timestampWords(timestamp)]] as const) : []),
    ['Signature', signatureWords(completion)],
    ['Authenticated', authentication ?? 'not known'],
    ['Address', address ?? 'none'],
    ['Device', device ?? 'none'],
    ['Consent', consent ? `version ${consent.version}: ${consent.text}` : 'none was asked for'],
  ]
}

export function documentRows({ certificate }: Pick<Completion, 'certificate'>): CertificateRow[] {
  const { patient, sender, preparations } = certificate
  const sentences = preparations.map((preparation) => preparationSentences[preparation])
  return [
    ['Type', certificate.documentType],
    ...(patient ? ([['Patient', patientWords(patient)]] as const) : []),
    ['Sender', sender.npi === null ? sender.name : `${sender.name}, NPI ${sender.npi}`],
    ['Id of the sender', sender.documentId],
    ['Task', String(certificate.taskId)],
    ['Document', String(certificate.documentId)],
    ...(sentences.length > 0 ? ([['Before it was shown', sentences.join(' ')]] as const) : []),
  ]
}

/** The rows for the values of the fields. */
export const fieldRows = (completion: Completion): CertificateRow[] =>
  completion.fields.map((field, index) => [
    `${fieldKind(field.type).name}, page ${field.page}`,
    filledWith(field, completion.values[index], completion),
  ])

function filledWith(field: Field, value: string | boolean | undefined, completion: Completion): string {
  switch (fieldKind(field.type).value) {
    case 'signature':
      return signatureWords(completion)
    case 'date':
      return dateIn(completion.timeZone, completion.signedAt)
    case 'check':
      return value === true ? 'checked' : 'not checked'
    case 'text':
      return shortened(textOf(field, value))
  }
}

function shortened(text: string): string {
  const characters = [...text]
  if (text.trim() === '') return 'left empty'
  if (characters.length <= MOST_SHOWN) return text
  return `${characters.slice(0, MOST_SHOWN).join('')}… (${characters.length} characters, all of them in the field)`
}

function signatureWords({ signature, signatureImage }: Pick<Completion, 'signature' | 'signatureImage'>): string {
  if (signature === 'notGiven') return 'none: the sender asks for none'
  return signatureImage ? 'drawn by hand' : 'typed name'
}

function timestampWords({ authority, nonce }: NonNullable<Completion['timestamp']>): string {
  if (nonce) return `by ${authority}, within the digital signature`
  return `none: ${authority} gave none when the document was sealed`
}

const patientWords = ({ name, birthDate, mrn }: NonNullable<Completion['certificate']['patient']>) =>
  `${name}, born ${birthDate}${mrn === null ? '' : `, MRN ${mrn}`}`
