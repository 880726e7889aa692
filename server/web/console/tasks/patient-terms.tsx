/** Lists the facts about a patient, and marks those that differ from another. */
import type { Review } from '../../../operations/operator/messages/tasks.ts'
import { calendarDate } from '../../shared/format.ts'
import { GivenText } from '../../shared/text/given-text.tsx'
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
              {differs && <small> differs</small>}
              {differs && (
                <small class="sent">
                  sent: <GivenText>{others.get(term) || '—'}</GivenText>
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
    ['Name', listed(names.map(({ given, family }) => `${given.join(' ')} ${family}`))],
    ['Born', calendarDate(birthDate)],
    ['Sex', sex],
    ['Sender’s id', externalId],
    ['Identifiers', listed(identifiers?.map(({ authority, value }) => `${authority.toUpperCase()} ${value}`))],
    ['Address', listed(addresses.map(addressLine))],
    ['Phone, e-mail', listed(telecoms?.map(({ value }) => value ?? ''))],
  ]
}
