/** A choice among organizations, by their ids. */
interface OrganizationSelectProps {
  organizations: readonly { id: number; name: string }[]
}

export const OrganizationSelect = ({ organizations }: OrganizationSelectProps) => (
  <label>
    Organization
    <select name="organizationId" required>
      {organizations.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  </label>
)
