/** Lists the facts about a patient, and marks those that differ from another. */
import type { Review } from '../../../operations/operator/messages/tasks.ts'
import { calendarDate } from '../../shared/format.ts'
import { GivenText } from '../../shared/text/given-text.tsx'
import { t } from '../../words/words.ts'
import { addressLine } from '../organizations/address.tsx'

type Patient = Review['sent']

interface PatientTermsProps {
  patient: Patient
  /** The patient to compare with, if any. */
  beside: Patient | null
}

export function PatientTerms({ patient, beside }: PatientTermsProps) {
  const others = beside && new Map(rowsOf(beside))
  return (
    <dl>
      {rowsOf(patient).map(([term, text]) => {
        const differs = others !== null && others.get(term) !== text
        return (
          <div key={term} class={differs ? 'differs' : ''}>
            <dt>{term}</dt>
            <dd>
              <GivenText>{text || '—'}</GivenText>
              {differs && <small> {t('patient.differs')}</small>}
              {differs && (
                <small class="sent">
                  {t('patient.sent')} <GivenText>{others.get(term) || '—'}</GivenText>
                </small>
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

function rowsOf(patient: Patient): [term: string, text: string][] {
  const { externalId, names, birthDate, sex, addresses, identifiers, telecoms } = patient
  const listed = (texts: string[] | undefined) => (texts ?? []).join('; ')
  return [
    [t('patient.name'), listed(names.map(({ given, family }) => `${given.join(' ')} ${family}`))],
    [t('patient.born'), calendarDate(birthDate)],
    [t('patient.sex'), sex],
    [t('patient.senderId'), externalId],
    [
      t('patient.identifiers'),
      listed(identifiers?.map(({ authority, value }) => `${authority.toUpperCase()} ${value}`)),
    ],
    [t('patient.address'), listed(addresses.map(addressLine))],
    [t('patient.contact'), listed(telecoms?.map(({ value }) => value ?? ''))],
  ]
}
