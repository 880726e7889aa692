/** The keys of an organization: a new one is shown once, and one that is revoked never works again. */
import { useState } from 'preact/hooks'
import type { KeyBody, ListedKey } from '../../../operations/operator/messages/keys.ts'
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx'
import { Dialog } from '../../shared/dialogs/dialog.tsx'
import { localTime } from '../../shared/format.ts'
import { act } from '../act.ts'
import { EntryForm, type Texts } from '../entry-form.tsx'

interface KeysProps {
  organizationId: number
  keys: readonly ListedKey[]
  onChange(): Promise<void>
}

export function Keys({ organizationId, keys, onChange }: KeysProps) {
  const [created, setCreated] = useState<string | null>(null)
  const [revoking, setRevoking] = useState<ListedKey | null>(null)
  const path = `/organizations/${organizationId}/keys`
  const create = async ({ personName = '', description = '' }: Texts) => {
    const body: KeyBody = { personName, description }
    const result = await act<{ key: string }>('POST', path, {
      body,
      done: 'The key has been created.',
      reload: onChange,
    })
    if (result) setCreated(result.answer.key)
    return result
  }
  const revoke = ({ keyId }: ListedKey) => {
    setRevoking(null)
    return act('DELETE', `${path}/${keyId}`, { done: 'The key has been revoked.', reload: onChange })
  }
  return (
    <section class="panel" aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <ul class="keys">
        {keys.map((key) => (
          <KeyItem key={key.keyId} listed={key} onRevoke={() => setRevoking(key)} />
        ))}
      </ul>
      <EntryForm class="panel-form" onEnter={create}>
        <label>
          Whose key it is
          <input name="personName" required maxLength={100} autocomplete="off" />
        </label>
        <label>
          What the new key is for
          <input name="description" required maxLength={100} />
        </label>
        <button type="submit" class="primary">
          Create key
        </button>
      </EntryForm>
      {revoking && (
        <ConfirmDialog
          title={`Revoke ${revoking.description}, …${revoking.last4}`}
          verb="Revoke key"
          onConfirm={() => void revoke(revoking)}
          onClose={() => setRevoking(null)}
        >
          Every request with this key will be refused, for good. The key was {lastUse(revoking)}.
        </ConfirmDialog>
      )}
      {created && <NewKeyDialog value={created} onClose={() => setCreated(null)} />}
    </section>
  )
}

function KeyItem({ listed, onRevoke }: { listed: ListedKey; onRevoke(): void }) {
  const { personName, description, last4, mode, createdAt, revokedAt } = listed
  return (
    <li>
      <span>
        <strong>{description}</strong> ({mode}, …{last4})
        <small>
          {' '}
          {personName ? `of ${personName}, ` : ''}created {localTime(createdAt)}, {lastUse(listed)}
        </small>
      </span>
      {revokedAt ? (
        <span class="badge failed">revoked</span>
      ) : (
        <button type="button" class="small danger" aria-label={`Revoke ${description}, ${last4}`} onClick={onRevoke}>
          Revoke
        </button>
      )}
    </li>
  )
}

const lastUse = ({ lastUsedAt }: ListedKey): string =>
  lastUsedAt ? `last used ${localTime(lastUsedAt)}` : 'never used'

const NewKeyDialog = ({ value, onClose }: { value: string; onClose(): void }) => (
  <Dialog title="The new key" onClose={onClose}>
    <p>Save it now: it will not be shown again.</p>
    <p class="new-key">{value}</p>
    <div class="actions">
      <button type="button" onClick={() => void navigator.clipboard.writeText(value)}>
        Copy
      </button>
      <button type="button" class="primary" onClick={onClose}>
        I have saved it
      </button>
    </div>
  </Dialog>
)
