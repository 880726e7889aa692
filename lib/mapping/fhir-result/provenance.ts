/** The Provenance of a signed DocumentReference: who signed it, for whom and when, as its seal says. Pure. */
import type { SealedPerson } from '../../pdf/read-signature.ts'
import type { FhirOrigin, OriginReference } from './origin.ts'
import type { FhirResource } from './result-to-fhir.ts'
import type { Signed } from './signed-document.ts'

/** Returns the signer as the order names them, and anyone else by their NPI; null when the signer is not known. */
export function referenceTo(
  person: SealedPerson | null,
  { signer, signerNpi }: Pick<FhirOrigin, 'signer' | 'signerNpi'>,
): OriginReference | null {
  if (person === null) return null
  if (signer !== undefined && person.npi === signerNpi) return signer
  const identifier = { system: 'http://hl7.org/fhir/sid/us-npi', value: person.npi }
  return { type: 'Practitioner', identifier, display: person.name }
}

/** Returns null when the seal does not say both who signed and when. @param target the URL of the DocumentReference in its Bundle */
export function provenanceOf(
  { facts: { signer, onBehalfOf, at }, origin }: Signed,
  target: string,
): FhirResource | null {
  const who = referenceTo(signer, origin)
  if (who === null || at === null) return null
  const owner = referenceTo(onBehalfOf, origin)
  const when = at.toISOString()
  return {
    resourceType: 'Provenance',
    target: [{ reference: target }],
    occurredDateTime: when,
    recorded: when,
    activity: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-DocumentCompletion', code: 'LA' }] },
    agent: [
      {
        type: {
          coding: [{ system: 'http://terminology.hl7.org/CodeSystem/provenance-participant-type', code: 'legal' }],
        },
        who,
        ...(owner && { onBehalfOf: owner }),
      },
    ],
    signature: [
      {
        // Verification signature, of ASTM E1762-95.
        type: [{ system: 'urn:iso-astm:E1762-95:2013', code: '1.2.840.10065.1.12.1.5' }],
        when,
        who,
        ...(owner && { onBehalfOf: owner }),
        sigFormat: 'application/pdf',
      },
    ],
  }
}
