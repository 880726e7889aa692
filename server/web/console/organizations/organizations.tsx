/** The organizations that the visitor may see, and for an operator the form for a new one. */
import type { Organization } from '../../../operations/operator/messages/organizations.ts'
import { t } from '../../words/words.ts'
import { ConsolePage } from '../console-page.tsx'
import { useLive } from '../live.ts'
import { Table } from '../table.tsx'
import { addressLine } from './address.tsx'
import { NewOrganization } from './new-organization.tsx'

export function Organizations({ isOperator }: { isOperator: boolean }) {
  const [organizations, reload] = useLive<Organization[]>('/organizations')
  return (
    <ConsolePage
      title="Organizations"
      tools={
        isOperator && (
          <a class="button" href="#/set-up">
            {t('setUp.add')}
          </a>
        )
      }
    >
      <Table
        rows={organizations}
        keyOf={({ id }) => id}
        columns={[
          { name: 'Id', cell: ({ id }) => id },
          { name: 'Name', cell: ({ id, name }) => <a href={`#/organizations/${id}`}>{name}</a> },
          { name: 'NPI', isShort: true, cell: ({ npi }) => npi ?? '—' },
          { name: 'Addresses', cell: ({ addresses }) => addresses.map(addressLine).join('; ') || '—' },
          { name: 'May send', cell: ({ ingestionEnabled }) => (ingestionEnabled ? 'yes' : 'no') },
          { name: 'Active', cell: ({ isActive }) => (isActive ? 'yes' : 'no') },
        ]}
      />
      {isOperator && <NewOrganization onAdded={reload} />}
    </ConsolePage>
  )
}
