/** The patient of the tests, of the examples and of the demo. Nothing but a patient has any of these values. */
import type { CreateTask } from '../../../lib/contract/task/task.ts'

/** Each call makes a new one, for a test to change. */
export const aPatient = () =>
  ({
    externalId: 'WILLOW|WC100001',
    names: [{ use: 'official', family: 'Whitfield', given: ['Alma'] }],
    sex: 'Female',
    birthDate: '1948-03-12',
    addresses: [{ line: '1 Alder Street', city: 'Alderhaven', state: 'MN', postalCode: '55899-3117' }],
    identifiers: [{ authority: 'mrn', value: 'WC100001' }],
    telecoms: [{ system: 'phone', value: '218-555-0101', use: 'home' }],
  }) satisfies CreateTask['patient']

export const EXTERNAL_DOC_ID = 'EHR|DOC-000123'

/** Every text of such a patient that must not be said anywhere, by the name of its place. */
export function textsOfPatient(): Record<string, string> {
  const { externalId, names, birthDate, addresses, identifiers, telecoms } = aPatient()
  const [{ family, given }] = names as [(typeof names)[number]]
  const [{ line, city, postalCode }] = addresses as [(typeof addresses)[number]]
  return {
    externalId,
    family,
    given: given[0]!,
    birthDate,
    line,
    city,
    postalCode,
    mrn: identifiers[0]!.value,
    phone: telecoms[0]!.value,
    externalDocId: EXTERNAL_DOC_ID,
  }
}
