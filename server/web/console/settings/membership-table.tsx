/** All organizations, to tick those where a provider is active and to choose the primary one. */
import type { Organization } from '../../../operations/operator/messages/organizations.ts'
import { t } from '../../words/words.ts'
import { Table } from '../table.tsx'

interface MembershipTableProps {
  organizations: readonly Organization[]
  /** Ids of the active ones, the primary one first. */
  chosen: readonly number[]
  onChoose(ids: number[]): void
}

export function MembershipTable({ organizations, chosen, onChoose }: MembershipTableProps) {
  const without = (id: number) => chosen.filter((known) => known !== id)
  return (
    <Table
      class="memberships"
      rows={organizations}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('console.organization'),
          cell: ({ name, isActive }) => (isActive ? name : t('member.inactive', { name })),
        },
        {
          name: t('member.active'),
          cell: ({ id, name }) => (
            <label class="touch">
              <input
                type="checkbox"
                aria-label={t('member.activeAt', { name })}
                checked={chosen.includes(id)}
                onChange={() => onChoose(chosen.includes(id) ? without(id) : [...chosen, id])}
              />
            </label>
          ),
        },
        {
          name: t('member.primary'),
          cell: ({ id, name }) => (
            <label class="touch">
              <input
                type="radio"
                name="primary"
                aria-label={t('member.isPrimary', { name })}
                checked={chosen[0] === id}
                onChange={() => onChoose([id, ...without(id)])}
              />
            </label>
          ),
        },
      ]}
    />
  )
}
