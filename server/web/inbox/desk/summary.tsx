/** Whom and what the document is about, and who sent it. */
import type { Opened } from '../../../operations/signer/messages.ts'
import { calendarDate, localTime, yearsOld } from '../../shared/format.ts'
import { Icon } from '../../shared/icon.tsx'
import { serviceTime } from '../../shared/service-clock.ts'
import { TermList } from '../../shared/term-list.tsx'
import { parts, t } from '../../words/words.ts'

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
    <section class="summary" aria-label={t('desk.about')}>
      {isOverdue && (
        <p class="overdue-label">
          <Icon name="warning" /> {t('inbox.overdue')}
        </p>
      )}
      <details open={matchMedia(ROOMY).matches}>
        <summary>{t('desk.patientAndDocument')}</summary>
        <TermList
          rows={[
            [t('desk.born'), `${calendarDate(patient.birthDate)} (${yearsOld(patient.birthDate, serviceTime())})`],
            [t('desk.sex'), patient.sex],
            [t('desk.mrn'), patient.mrn],
            [t('desk.contact'), telecoms.map(contact).filter(Boolean).join('; ') || null],
            [clinicalDateLabel || t('desk.clinicalDate'), calendarDate(clinicalDate)],
            [t('desk.diagnosis'), diagnosisCode],
            [t('desk.sentBy'), sender],
            [t('desk.received'), localTime(arrivedAt)],
            [t('desk.for'), organization],
            [t('desk.sha'), preparations.length > 0 ? receivedSha256 : null],
          ]}
        />
      </details>
      {preparations.length > 0 && (
        <p class="fine">
          {parts('desk.prepared', {
            preparations: preparations.map((done) => t(`prepared.${done}`)).join(' '),
            sha: <code>{receivedSha256}</code>,
          })}
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
