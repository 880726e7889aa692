/** Documents of the store as the inbox's page is notified of them. */
import type * as z from 'zod'
import { firstCharacters } from '../../../lib/contract/characters.ts'
import { CONSENT } from '../../domain/task/consent.ts'
import { shownPatient } from '../../domain/task/shown-patient.ts'
import type { UnsignedPdf } from '../../domain/unsigned-pdf.ts'
import type { ListedDocument } from '../../store/inbox/listed-document.ts'
import type { PastDocument } from '../../store/inbox/past-documents.ts'
import type { OpenedDocument, WaitingDocument } from '../../store/inbox/signer-inbox.ts'
import type { Opened, Past, Shown, Waiting } from './messages.ts'

export const waiting = (document: WaitingDocument, overdueBefore: Date): Waiting => ({
  ...shown(document),
  arrivedAt: document.arrivedAt,
  isOverdue: document.arrivedAt < overdueBefore.toISOString(),
  onBehalfOf: document.onBehalfOf,
})

export const opened = (document: OpenedDocument, overdueBefore: Date, unsignedPdf: UnsignedPdf): Opened => {
  const { arrivedAt, patient, taskId, documentType, clinicalDate, sender, firstName, lastName, ...rest } = document
  const initials = initialsOf(firstName, lastName)
  return {
    ...waiting(document, overdueBefore),
    telecoms: patient.telecoms ?? [],
    initials,
    unsignedPdf,
    consent: CONSENT,
    ...rest,
  }
}

/** `RC` of Ruth Calder. */
const initialsOf = (...names: readonly string[]): string =>
  names.map((name) => firstCharacters(name.trim(), 1).toUpperCase()).join('')

export const past = (document: PastDocument): Past => ({
  ...shown(document),
  outcome: document.outcome,
  at: document.at,
  reason: document.reason,
  onBehalfOf: document.onBehalfOf,
  doneBy: document.doneBy,
  sentence: document.sentence,
})

const shown = ({
  taskId,
  patient,
  documentType,
  externalDocId,
  clinicalDate,
  sender,
}: ListedDocument): z.infer<typeof Shown> => ({
  taskId,
  patient: shownPatient(patient),
  documentType,
  externalDocId,
  clinicalDate,
  sender,
})
