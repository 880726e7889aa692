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
      title={t('console.organizations')}
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
          { name: t('organization.id'), cell: ({ id }) => id },
          { name: t('organization.name'), cell: ({ id, name }) => <a href={`#/organizations/${id}`}>{name}</a> },
          { name: t('organization.npi'), isShort: true, cell: ({ npi }) => npi ?? '—' },
          { name: t('organization.addresses'), cell: ({ addresses }) => addresses.map(addressLine).join('; ') || '—' },
          {
            name: t('organization.maySend'),
            cell: ({ ingestionEnabled }) => (ingestionEnabled ? t('answer.yes') : t('answer.no')),
          },
          { name: t('organization.activeHead'), cell: ({ isActive }) => (isActive ? t('answer.yes') : t('answer.no')) },
        ]}
      />
      {isOperator && <NewOrganization onAdded={reload} />}
    </ConsolePage>
  )
}
