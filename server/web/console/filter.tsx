/** A choice that narrows a list, or says what a button alongside it is for. */
import { t } from '../words/words.ts'

interface FilterProps {
  label: string
  value: string
  /** Each value with its name. */
  options: readonly (readonly [value: string, name: string])[]
  onChange(value: string): void
}

export const Filter = ({ label, value, options, onChange }: FilterProps) => (
  <label class="filter">
    {label}
    <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {options.map(([known, name]) => (
        <option key={known} value={known}>
          {name}
        </option>
      ))}
    </select>
  </label>
)

/** The options of a filter that may also be off. */
export const allOr = <T extends string>(
  values: readonly T[],
  nameOf: (value: T) => string = (value) => value,
): (readonly [string, string])[] => [['', t('filter.all')], ...values.map((value) => [value, nameOf(value)] as const)]
