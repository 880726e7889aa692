/** Warns of NPIs that the interface accepts although they look mistyped. Never repeats the number. */
import type { CreateTask } from '../../../lib/contract/task/task.ts'

export function npiWarnings({ performers }: CreateTask): string[] {
  const [{ signer, organization }] = performers as [CreateTask['performers'][number]]
  const given = { 'signer.userNPI': signer.userNPI, 'organization.orgNPI': organization?.orgNPI || undefined }
  return Object.entries(given)
    .filter(([, npi]) => npi !== undefined && TEN_DIGITS.test(npi) && !hasCheckDigit(npi))
    .map(([field]) => `performers[0].${field}: the check digit is wrong; is a digit mistyped?`)
}

/** What has another form is a matter of its own. */
const TEN_DIGITS = /^\d{10}$/

/** Luhn over the number prefixed with 80840, which stands for "health, United States". */
function hasCheckDigit(npi: string): boolean {
  const sum = [...`80840${npi}`].reverse().reduce((total, digit, index) => {
    const weighed = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (weighed > 9 ? weighed - 9 : weighed)
  }, 0)
  return sum % 10 === 0
}
