/** Whether all parts of an order in FHIR are about one patient. Pure. */
import type { Reading } from './reading.ts'
import type { Named } from './signer.ts'

/** Holds the message when two parts of it name different patients, or when it cannot be told whether they do. */
export function holdOtherPatient(reading: Reading, patient: Named | undefined, other: Named | undefined): void {
  if (patient === undefined || other === undefined || isSame(patient, other, reading)) return
  reading.findings.hold(other.place, `is another patient than ${patient.place}`)
}

function isSame(one: Named, other: Named, { collection }: Reading): boolean {
  const [found, foundToo] = [one, other].map(({ reference, owner }) => collection.find(reference, owner))
  return found && foundToo ? found === foundToo : nameOf(one) === nameOf(other)
}

/** `Patient/7`, of a reference that is relative or absolute, to a version or not. */
const nameOf = ({ reference: { reference = '' } }: Named): string =>
  reference
    .replace(/\/_history\/[^/]+$/, '')
    .split('/')
    .slice(-2)
    .join('/')
