/** A choice among organizations, by their ids. */
import { t } from '../words/words.ts'

interface OrganizationSelectProps {
  organizations: readonly { id: number; name: string }[]
  /** The id of the one that is chosen first. Optional; the first one by default. */
  chosen?: string
}

export const OrganizationSelect = ({ organizations, chosen }: OrganizationSelectProps) => (
  <label>
    {t('console.organization')}
    <select name="organizationId" required>
      {organizations.map(({ id, name }) => (
        <option key={id} value={id} selected={String(id) === chosen}>
          {name}
        </option>
      ))}
    </select>
  </label>
)
