/** Whom and what the document is about, and who sent it. */
import { preparationSentences } from '../../../../lib/pdf/prepare/preparation.ts'
import type { Opened } from '../../../operations/signer/messages.ts'
import { calendarDate, localTime, yearsOld } from '../../shared/format.ts'
import { Icon } from '../../shared/icon.tsx'
import { serviceTime } from '../../shared/service-clock.ts'
import { TermList } from '../../shared/term-list.tsx'

/** Where there is room for it alongside the pages; on a phone it is closed at first, so that the pages are in sight. */
const ROOMY = '(min-width: 961px)'

export function Summary({ opened }: { opened: Opened }) {
  const {
    patient,
    telecoms,
    diagnosisCode,
    clinicalDate,
    clinicalDateLabel,
    sender,
    arrivedAt,
    isOverdue,
    organization,
    preparations,
    receivedSha256,
  } = opened
  return (
    <section class="summary" aria-label="About this document">
      {isOverdue && (
        <p class="overdue-label">
          <Icon name="warning" /> Overdue
        </p>
      )}
      <details open={matchMedia(ROOMY).matches}>
        <summary>Patient and document</summary>
        <TermList
          rows={[
            ['Born', `${calendarDate(patient.birthDate)} (${yearsOld(patient.birthDate, serviceTime())})`],
            ['Sex', patient.sex],
            ['MRN', patient.mrn],
            ['Contact', telecoms.map(contact).filter(Boolean).join('; ') || null],
            [clinicalDateLabel || 'Clinical date', calendarDate(clinicalDate)],
            ['Diagnosis code', diagnosisCode],
            ['Sent by', sender],
            ['Received', localTime(arrivedAt)],
            ['For', organization],
            ['SHA-256 as received', preparations.length > 0 ? receivedSha256 : null],
          ]}
        />
      </details>
      {preparations.length > 0 && (
        <p class="fine">
          Prepared for signing: {preparations.map((done) => preparationSentences[done]).join(' ')} SHA-256 of the file
          as received: <code>{receivedSha256}</code>
        </p>
      )}
    </section>
  )
}

/** Words a contact with the words that the sender gave it, such as "home phone". choice: Free words */
function contact({ system, use, value }: Opened['telecoms'][number]): string {
  const words = [use, system].filter(Boolean).join(' ')
  return value && words ? `${value} (${words})` : (value ?? '')
}
