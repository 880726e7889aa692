/** What every list says of a document: the patient, and what it is. */
import type { Past, ShownPatient, Waiting } from '../../../operations/signer/messages.ts'
import { calendarDate, yearsOld } from '../../shared/format.ts'

export const PatientLine = ({ patient: { name, birthDate, sex, mrn } }: { patient: ShownPatient }) => (
  <span class="who">
    <strong>{name}</strong>
    <small>
      {calendarDate(birthDate)} ({yearsOld(birthDate, new Date())}) · {sex}
      {mrn && ` · MRN ${mrn}`}
    </small>
  </span>
)

export const DocumentLine = ({ document: { documentType, clinicalDate, sender } }: { document: Waiting | Past }) => (
  <span class="what">
    <span>{documentType}</span>
    <small>
      Dated {calendarDate(clinicalDate)} · {sender}
    </small>
  </span>
)
