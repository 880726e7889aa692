/** The settings of a key that seals documents from elsewhere: which of them need one another. Pure. */
import { externalKeyIn, isSecretOf, SECRET_FORMS } from '../external-key.ts'
import { type GivenSettings, type Missing, namesOf } from './whole-settings.ts'

/** Returns what is missing or must not be there. What is wrong by itself is not named again. */
export function externalKeyTogether({ sealKey, sealCertificate, sealKeySecret, sealP12 }: GivenSettings): Missing[] {
  if (sealKey === undefined) return namesOf({ sealCertificate }).map((name) => [name, 'needs {sealKey}'])
  const place = typeof sealKey === 'string' ? externalKeyIn(sealKey) : null
  const missing: Missing[] = []
  if (sealP12 !== undefined) missing.push(['sealKey', 'not with {sealP12}: one key seals'])
  if (sealCertificate === undefined) missing.push(['sealCertificate', 'needed with {sealKey}'])
  if (sealKeySecret === undefined) missing.push(['sealKeySecret', 'needed with {sealKey}'])
  else if (place && typeof sealKeySecret === 'string' && !isSecretOf(place, sealKeySecret))
    missing.push(['sealKeySecret', `${SECRET_FORMS[place.kind]}, for {sealKey}`])
  return missing
}
