/** Where a list of documents is searched. */
import { Icon } from '../../shared/icon.tsx'
import { t } from '../../words/words.ts'

interface SearchFieldProps {
  value: string
  onSearch(search: string): void
}

export const SearchField = ({ value, onSearch }: SearchFieldProps) => (
  <label class="search">
    <Icon name="search" />
    <span class="visually-hidden">{t('inbox.searchLabel')}</span>
    <input
      type="search"
      placeholder={t('inbox.searchHint')}
      maxLength={200}
      value={value}
      onInput={(event) => onSearch(event.currentTarget.value)}
    />
  </label>
)
