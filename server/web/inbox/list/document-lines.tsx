/** Shows what every list says about a document: the patient, and what it is. */
import type { Past, ShownPatient, Waiting } from '../../../operations/signer/messages.ts'
import { calendarDate, yearsOld } from '../../shared/format.ts'
import { serviceTime } from '../../shared/service-clock.ts'
import { GivenText } from '../../shared/text/given-text.tsx'
import { parts } from '../../words/words.ts'

export const PatientLine = ({ patient }: { patient: ShownPatient }) => (
  <span class="who">
    <strong>
      <GivenText>{patient.name}</GivenText>
    </strong>
    <PatientFacts patient={patient} />
  </span>
)

/** Shows the facts that distinguish patients of the same name. */
export const PatientFacts = ({ patient: { birthDate, sex, mrn } }: { patient: ShownPatient }) => (
  <small>
    {calendarDate(birthDate)} ({yearsOld(birthDate, serviceTime())}) · {sex}
    {mrn && (
      <>
        {' · '}
        {parts('line.mrn', { mrn: <GivenText>{mrn}</GivenText> })}
      </>
    )}
  </small>
)

export const DocumentLine = ({
  document: { documentType, externalDocId, clinicalDate, sender, onBehalfOf },
}: {
  document: Pick<Waiting | Past, 'documentType' | 'externalDocId' | 'clinicalDate' | 'sender' | 'onBehalfOf'>
}) => (
  <span class="what">
    <GivenText>{documentType}</GivenText>
    <small>
      {parts('line.document', {
        date: calendarDate(clinicalDate),
        sender: <GivenText>{sender}</GivenText>,
        number: <GivenText>{externalDocId}</GivenText>,
      })}
    </small>
    {onBehalfOf && <span class="badge behalf">{parts('line.for', { name: <GivenText>{onBehalfOf}</GivenText> })}</span>}
  </span>
)
