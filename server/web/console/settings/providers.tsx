/** Providers, who sign, and the organizations they sign for. */
import { useState } from 'preact/hooks'
import type { Organization } from '../../../operations/operator/messages/organizations.ts'
import type { ProviderChangeBody, StoredProvider } from '../../../operations/operator/messages/providers.ts'
import { announceFailure } from '../../shared/connection.tsx'
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx'
import { count } from '../../shared/format.ts'
import { act } from '../act.ts'
import { callAdmin } from '../admin-api.ts'
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
  const [leaving, setLeaving] = useState<Leaving | null>(null)
  const setActive = ({ npi }: StoredProvider, isActive: boolean) => {
    setLeaving(null)
    const body: ProviderChangeBody = { isActive }
    const done = `NPI ${npi} is ${isActive ? 'active' : 'no longer active'}.`
    return act('PATCH', `/providers/${npi}`, { body, done, reload })
  }
  const ask = async (provider: StoredProvider) => {
    const waiting = `/tasks?status=Pending&signer=${provider.npi}&limit=${MAX_COUNTED}`
    try {
      setLeaving({ provider, orders: (await callAdmin<unknown[]>('GET', waiting)).length })
    } catch (failure) {
      announceFailure(failure)
    }
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
          {
            name: 'Active',
            cell: (provider) => <ActiveInput provider={provider} onAsk={ask} onActivate={setActive} />,
          },
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
      {leaving && (
        <ConfirmDialog
          title={`Deactivate ${leaving.provider.signingName}?`}
          verb="Deactivate signer"
          onConfirm={() => void setActive(leaving.provider, false)}
          onClose={() => setLeaving(null)}
        >
          {consequenceOf(leaving)}
        </ConfirmDialog>
      )}
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

/** A signer who is about to be deactivated, and how many orders wait for them, counted up to `MAX_COUNTED`. */
interface Leaving {
  provider: StoredProvider
  orders: number
}

/** As many as the list gives at once. */
const MAX_COUNTED = 500

function consequenceOf({ orders }: Leaving): string {
  const start = 'New orders for this signer will fail from now on.'
  if (orders === 0) return `${start} No order is waiting.`
  const waiting = orders < MAX_COUNTED ? count(orders, 'order') : `${MAX_COUNTED} orders or more`
  return `${start} ${waiting} cannot be signed until the signer is active again.`
}

interface ActiveInputProps {
  provider: StoredProvider
  onAsk(provider: StoredProvider): Promise<unknown>
  onActivate(provider: StoredProvider, isActive: true): Promise<unknown>
}

const ActiveInput = ({ provider, onAsk, onActivate }: ActiveInputProps) => (
  <label class="touch">
    <input
      type="checkbox"
      aria-label={`${provider.signingName} is active`}
      checked={provider.isActive}
      onClick={(event) => {
        // It shows what the service says, and not what is still being asked.
        event.preventDefault()
        void (provider.isActive ? onAsk(provider) : onActivate(provider, true))
      }}
    />
  </label>
)
