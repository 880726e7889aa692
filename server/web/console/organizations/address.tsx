/** A postal address: in one line, and in a form. */
import type { Organization } from '../../../operations/operator/messages/organizations.ts'
import type { Texts } from '../entry-form.tsx'

export type Address = Organization['addresses'][number]

export const addressLine = ({ line, city, state, postalCode }: Address): string =>
  [line, city, state, postalCode].filter(Boolean).join(', ')

/** Returns the address from the texts of a form with `AddressInputs`; null without a postal code. */
export const addressOf = ({ line, city, state, postalCode }: Texts): Address | null =>
  postalCode === undefined ? null : { line: line ?? null, city: city ?? null, state: state ?? null, postalCode }

const inputs = [
  ['line', 'Street'],
  ['city', 'City'],
  ['state', 'State'],
  ['postalCode', 'Postal code'],
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
