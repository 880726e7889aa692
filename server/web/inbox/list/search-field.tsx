/** Where a list of documents is searched. */
import { Icon } from '../../shared/icon.tsx'

interface SearchFieldProps {
  value: string
  onSearch(search: string): void
}

export const SearchField = ({ value, onSearch }: SearchFieldProps) => (
  <label class="search">
    <Icon name="search" />
    <span class="visually-hidden">Search patient, birth date, MRN, number, document or sender</span>
    <input
      type="search"
      placeholder="Search patient, birth date, MRN, number"
      maxLength={200}
      value={value}
      onInput={(event) => onSearch(event.currentTarget.value)}
    />
  </label>
)
