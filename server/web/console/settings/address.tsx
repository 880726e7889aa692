/** A postal address in a form, and in one line. */
import type { Organization } from '../../../operations/operator/messages/organizations.ts'

export type Address = Organization['addresses'][number]

export const shownAddress = ({ line, city, state, postalCode }: Address): string =>
  [line, city, state, postalCode].filter(Boolean).join(', ')

/** From the texts of a form with `AddressInputs`; null when there is no postal code. */
export const addressOf = ({ line, city, state, postalCode }: Record<string, string>): Address | null =>
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
