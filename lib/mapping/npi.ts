/** National Provider Identifiers. Pure. */
import type { Findings } from './findings.ts'
import type { MapFile } from './map-file.ts'

/** Holds an NPI that the map has for an organization, which cannot sign, and warns of a wrong check digit. */
export function judgeSigner(npi: string, place: string, { organizations }: MapFile, findings: Findings): void {
  if (Object.values(organizations).includes(npi))
    findings.hold(place, 'is an organization; the signer must be a person')
  else if (!hasCheckDigit(npi)) findings.warn(place, 'the check digit of the NPI is wrong; check for a mistyped digit')
}

/** Whether the check digit fits: Luhn over the number prefixed with 80840, which represents "health, United States". */
export function hasCheckDigit(npi: string): boolean {
  const sum = [...`80840${npi}`].reverse().reduce((total, digit, index) => {
    const weighed = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (weighed > 9 ? weighed - 9 : weighed)
  }, 0)
  return sum % 10 === 0
}

/** Whether a text, as a namespace or an OID, says that a number is an NPI. */
export const isNpiLabel = (text: string): boolean =>
  text === '2.16.840.1.113883.4.6' || /^(?:(?:US|CMS)[-_ ]?)?NPI$|^NPPES$/i.test(text)
