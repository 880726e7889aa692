/** Whom and what the document is about, and who sent it. */
import { preparationSentences } from '../../../../lib/pdf/prepare/preparation.ts'
import type { Opened } from '../../../operations/signer/messages.ts'
import { calendarDate, localTime, yearsOld } from '../../shared/format.ts'
import { Icon } from '../../shared/icon.tsx'

/** Where there is room beside the pages; on a phone the pages come first. */
const ROOMY = '(min-width: 961px)'

export function Summary({ opened }: { opened: Opened }) {
  const { patient, clinicalDate, sender, arrivedAt, isOverdue, organization, preparations } = opened
  const rows = [
    ['Born', `${calendarDate(patient.birthDate)} (${yearsOld(patient.birthDate, new Date())})`],
    ['Sex', patient.sex],
    ['MRN', patient.mrn],
    ['Clinical date', calendarDate(clinicalDate)],
    ['Sent by', sender],
    ['Received', localTime(arrivedAt)],
    ['For', organization],
  ] as const
  return (
    <section class="summary" aria-label="About this document">
      {isOverdue && (
        <p class="overdue-note">
          <Icon name="warning" /> Overdue
        </p>
      )}
      <details open={matchMedia(ROOMY).matches}>
        <summary>Patient and document</summary>
        <dl>
          {rows.map(
            ([term, text]) =>
              text && (
                <div key={term}>
                  <dt>{term}</dt>
                  <dd>{text}</dd>
                </div>
              ),
          )}
        </dl>
      </details>
      {preparations.length > 0 && (
        <p class="fine">Prepared for signing: {preparations.map((done) => preparationSentences[done]).join(' ')}</p>
      )}
    </section>
  )
}
