/** An index of a document, as a program writes it that drops both into a folder. */
import { SIGNER } from '../service/order.ts'

export const anIndex = (changes: Record<string, unknown> = {}) => ({
  documentId: 'ORDER-1',
  documentType: 'CMS485',
  date: '2026-01-15',
  signer: SIGNER.idle,
  organization: '9999901033',
  patientId: 'WC100098',
  patientIdAuthority: 'WILLOW',
  family: 'Rowan',
  given: 'Tess',
  sex: 'F',
  birthDate: '19520607',
  street: '98 Birch Lane',
  city: 'Duluth',
  state: 'MN',
  postalCode: '55802',
  phone: '218-555-0198',
  ...changes,
})

export const asJson = (index: object): Buffer => Buffer.from(JSON.stringify(index))
/** With the separator that spreadsheets write where a comma stands before decimals. */
export const asCsv = (index: object): string =>
  [Object.keys(index), Object.values(index)]
    .map((cells) => cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(';'))
    .join('\r\n')
