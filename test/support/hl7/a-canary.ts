/** Orders of a patient whom nothing else in the project names, and what must not be said of them. */
import { CANARY } from '../canary.ts'
import { anOrder, mdm, PDF, type Segments } from './an-order.ts'

const COMPACT_BIRTH_DATE = CANARY.birthDate.replaceAll('-', '')

/** What is planted, by name. */
export const PLANTED = {
  family: CANARY.family,
  given: CANARY.given,
  birthDate: CANARY.birthDate,
  compactBirthDate: COMPACT_BIRTH_DATE,
  line: CANARY.line,
  city: CANARY.city,
  phone: CANARY.phone,
  mrn: CANARY.mrn,
  documentId: CANARY.savedId,
  password: CANARY.password,
  pdf: PDF.slice(8, 40),
} as const

const { family, given, line, city, phone, mrn, documentId } = PLANTED

const segments: Segments = {
  PID: `PID|1||${mrn}^^^WILLOW^MR||${family}^${given}^^^^^L||${COMPACT_BIRTH_DATE}|F|||${line}^^${city}^MN^55802^^H||${phone}^PRN^PH`,
  TXA: String(mdm.TXA).replace('DOC-000123', documentId),
}

export const aPlantedOrder = (changes: Segments = {}): Buffer => Buffer.from(anOrder({ ...segments, ...changes }))

export const aPlantedDocument = () => ({
  resourceType: 'DocumentReference',
  id: 'doc1',
  status: 'current',
  masterIdentifier: { system: 'urn:lake:docs', value: documentId },
  type: { coding: [{ code: 'CMS485' }] },
  subject: { reference: 'Patient/p1', display: `${given} ${family}` },
  content: [{ attachment: { contentType: 'application/pdf', data: PDF } }],
})
