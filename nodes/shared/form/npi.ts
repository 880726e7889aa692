/** Warns of NPIs that the interface accepts although they look mistyped. Never repeats the number. */
import type { CreateTask } from '../../../lib/contract/task/task.ts'
import { hasCheckDigit } from '../../../lib/mapping/npi.ts'

export function npiWarnings({ performers }: CreateTask): string[] {
  const [{ signer, organization }] = performers as [CreateTask['performers'][number]]
  const given = { 'signer.userNPI': signer.userNPI, 'organization.orgNPI': organization?.orgNPI || undefined }
  return Object.entries(given)
    .filter(([, npi]) => npi !== undefined && TEN_DIGITS.test(npi) && !hasCheckDigit(npi))
    .map(([field]) => `performers[0].${field}: the check digit is wrong; is a digit mistyped?`)
}

/** A value of another form is reported elsewhere. */
const TEN_DIGITS = /^\d{10}$/
