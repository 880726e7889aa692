/** One organization: whether it may send, where it is, its keys, and what its PDFs may contain. A new key is shown once. */
import { useState } from 'preact/hooks'
import type { KeyBody, ListedKey } from '../../../operations/operator/messages/keys.ts'
import type { ChangeBody, OrganizationFile } from '../../../operations/operator/messages/organizations.ts'
import { Icon } from '../../shared/icon.tsx'
import { useTitle } from '../../shared/title.ts'
import { act, textsOf } from '../act.ts'
import { useLive } from '../live.ts'
import { ActiveContentForm } from './active-content.tsx'
import { type Address, AddressInputs, addressOf, shownAddress } from './address.tsx'
import { KeyItem, NewKeyDialog, RevokeDialog } from './key-parts.tsx'

export function OrganizationPage({ id }: { id: number }) {
  const [file, reload, missing] = useLive<OrganizationFile>(`/admin/v1/organizations/${id}`)
  const heading = useTitle(file?.organization.name ?? 'Organization')
  const change = (body: ChangeBody, done: string) => act(['PATCH', `/organizations/${id}`], body, done, reload)
  return (
    <main class="console-page">
      <div class="console-head">
        <a class="button quiet" href="#/organizations">
          <Icon name="back" /> Organizations
        </a>
        <h1 ref={heading} tabIndex={-1}>
          {file?.organization.name ?? 'Organization'}
        </h1>
      </div>
      {!file && <p class="loading">{missing || 'Loading…'}</p>}
      {file && (
        <div class="columns">
          <Details file={file} onChange={change} />
          <Keys organizationId={id} keys={file.keys} onChange={reload} />
          <ActiveContentForm file={file} onChange={change} />
        </div>
      )}
    </main>
  )
}

interface DetailsProps {
  file: OrganizationFile
  onChange(body: ChangeBody, done: string): Promise<unknown>
}

function Details({ file: { organization, mayChange }, onChange }: DetailsProps) {
  const { name, npi, addresses, ingestionEnabled } = organization
  const keep = (kept: Address[]) => onChange({ addresses: kept }, 'The addresses are changed.')
  const add = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const address = addressOf(textsOf(event))
    if (address && (await keep([...addresses, address]))) form.reset()
  }
  return (
    <section class="panel" aria-labelledby="details">
      <h2 id="details">Details</h2>
      <p>NPI {npi ?? 'not given'}</p>
      <label class="check">
        <input
          type="checkbox"
          checked={ingestionEnabled}
          disabled={!mayChange}
          onChange={(event) => {
            const enabled = event.currentTarget.checked
            void onChange({ ingestionEnabled: enabled }, `${name} may ${enabled ? '' : 'not '}send documents.`)
          }}
        />
        May send documents
      </label>
      <h3>Addresses</h3>
      <ul class="addresses">
        {addresses.map((address, index) => (
          <li key={shownAddress(address)}>
            {shownAddress(address)}
            {mayChange && (
              <button
                type="button"
                class="small"
                aria-label={`Remove ${shownAddress(address)}`}
                onClick={() => void keep(addresses.filter((_, i) => i !== index))}
              >
                Remove
              </button>
            )}
          </li>
        ))}
      </ul>
      {mayChange ? (
        <form class="panel-form" onSubmit={(event) => void add(event)}>
          <AddressInputs />
          <button type="submit">Add address</button>
        </form>
      ) : (
        <p>NPI and addresses decide who receives an order: the operator of the service changes them.</p>
      )}
    </section>
  )
}

interface KeysProps {
  organizationId: number
  keys: readonly ListedKey[]
  onChange(): Promise<void>
}

function Keys({ organizationId, keys, onChange }: KeysProps) {
  const [made, setMade] = useState<string | null>(null)
  const [revoking, setRevoking] = useState<ListedKey | null>(null)
  const path = `/organizations/${organizationId}/keys`
  const issue = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const body: KeyBody = { description: textsOf(event).description ?? '' }
    const answer = await act<{ key: string }>(['POST', path], body, 'The key is made.', onChange)
    if (!answer) return
    form.reset()
    setMade(answer.key)
  }
  const revoke = ({ keyId }: ListedKey) => {
    setRevoking(null)
    return act(['DELETE', `${path}/${keyId}`], undefined, 'The key is revoked.', onChange)
  }
  return (
    <section class="panel" aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <ul class="keys">
        {keys.map((key) => (
          <KeyItem key={key.keyId} listed={key} onRevoke={() => setRevoking(key)} />
        ))}
      </ul>
      <form class="panel-form" onSubmit={(event) => void issue(event)}>
        <label>
          What the new key is for
          <input name="description" required maxLength={100} />
        </label>
        <button type="submit" class="primary">
          Make a key
        </button>
      </form>
      {revoking && (
        <RevokeDialog listed={revoking} onRevoke={() => void revoke(revoking)} onClose={() => setRevoking(null)} />
      )}
      {made && <NewKeyDialog made={made} onClose={() => setMade(null)} />}
    </section>
  )
}
