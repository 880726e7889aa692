/** Providers, who sign, and the organizations they sign for. */
import { useState } from 'preact/hooks'
import type { Organization } from '../../../operations/operator/messages/organizations.ts'
import type { ProviderChangeBody, StoredProvider } from '../../../operations/operator/messages/providers.ts'
import { act } from '../act.ts'
import { ConsolePage } from '../console-page.tsx'
import { useLive } from '../live.ts'
import { Table } from '../table.tsx'
import { MembershipDialog } from './membership-dialog.tsx'
import { NewProvider } from './new-provider.tsx'
import { NoticesDialog } from './notices-dialog.tsx'

export function Providers() {
  const [providers, reload] = useLive<StoredProvider[]>('/providers')
  const [organizations] = useLive<Organization[]>('/organizations')
  const [editing, setEditing] = useState<StoredProvider | null>(null)
  const [notified, setNotified] = useState<StoredProvider | null>(null)
  const setActive = ({ npi }: StoredProvider, isActive: boolean) => {
    const body: ProviderChangeBody = { isActive }
    const done = `NPI ${npi} is ${isActive ? 'active' : 'no longer active'}.`
    return act('PATCH', `/providers/${npi}`, { body, done, reload })
  }
  return (
    <ConsolePage title="Providers">
      <Table
        rows={providers}
        keyOf={({ npi }) => npi}
        columns={[
          { name: 'NPI', isShort: true, cell: ({ npi }) => npi },
          { name: 'Signs as', cell: ({ signingName }) => signingName },
          {
            name: 'Organizations, the primary one first',
            shortName: 'Organizations',
            cell: (provider) => provider.organizations.map(nameOf).join('; ') || '—',
          },
          { name: 'Active', cell: (provider) => <ActiveInput provider={provider} onChange={setActive} /> },
        ]}
        actions={(provider) => (
          <>
            <button
              type="button"
              class="small"
              aria-label={`Organizations of ${provider.signingName}`}
              onClick={() => setEditing(provider)}
            >
              Organizations
            </button>
            <button
              type="button"
              class="small"
              aria-label={`E-mails to ${provider.signingName}`}
              onClick={() => setNotified(provider)}
            >
              E-mails
            </button>
          </>
        )}
      />
      <NewProvider organizations={organizations ?? []} onAdded={reload} />
      {notified && <NoticesDialog provider={notified} onClose={() => setNotified(null)} />}
      {editing && (
        <MembershipDialog
          provider={editing}
          organizations={organizations ?? []}
          onChange={reload}
          onClose={() => setEditing(null)}
        />
      )}
    </ConsolePage>
  )
}

/** An inactive organization receives nothing, although the provider signs there. */
const nameOf = ({ name, isActive }: StoredProvider['organizations'][number]) => (isActive ? name : `${name} (inactive)`)

interface ActiveInputProps {
  provider: StoredProvider
  onChange(provider: StoredProvider, isActive: boolean): Promise<unknown>
}

const ActiveInput = ({ provider, onChange }: ActiveInputProps) => (
  <label class="touch">
    <input
      type="checkbox"
      aria-label={`${provider.signingName} is active`}
      checked={provider.isActive}
      onChange={(event) => void onChange(provider, event.currentTarget.checked)}
    />
  </label>
)
