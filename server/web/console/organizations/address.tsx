/** A postal address: in one line, and in a form. */
import type { Organization } from '../../../operations/operator/messages/organizations.ts'
import { announce } from '../../shared/announce.tsx'
import { t } from '../../words/words.ts'
import type { Texts } from '../entry-form.tsx'

export type Address = Organization['addresses'][number]

export const addressLine = ({ line, city, state, postalCode }: Address): string =>
  [line, city, state, postalCode].filter(Boolean).join(', ')

/** Whether anything of an address was entered in a form with `AddressInputs`. */
export const hasAddress = (texts: Texts): boolean => inputs.some(([name]) => texts[name] !== undefined)

/** Returns the address from the texts of a form with `AddressInputs`. Without a postal code, says so and returns null. */
export function addressOf({ line, city, state, postalCode }: Texts): Address | null {
  if (postalCode !== undefined) return { line: line ?? null, city: city ?? null, state: state ?? null, postalCode }
  announce(t('address.noPostalCode'), 'wrong')
  return null
}

const inputs = [
  ['line', t('address.street')],
  ['city', t('address.city')],
  ['state', t('address.state')],
  ['postalCode', t('address.postalCode')],
] as const

export const AddressInputs = () => (
  <>
    {inputs.map(([name, label]) => (
      <label key={name}>
        {label}
        <input name={name} maxLength={name === 'postalCode' ? 20 : 200} />
      </label>
    ))}
  </>
)
