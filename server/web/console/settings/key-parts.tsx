/** A key in the list, the one time it is shown, and the question before it is revoked. */
import type { ListedKey } from '../../../operations/operator/messages/keys.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { localTime } from '../../shared/format.ts'

interface KeyProps {
  listed: ListedKey
  onRevoke(): void
}

export function KeyItem({ listed, onRevoke }: KeyProps) {
  const { description, last4, mode, createdAt, lastUsedAt, revokedAt } = listed
  return (
    <li>
      <span>
        <strong>{description}</strong> ({mode}, …{last4})
        <small>
          {' '}
          made {localTime(createdAt)}, {lastUsedAt ? `last used ${localTime(lastUsedAt)}` : 'never used'}
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

export function RevokeDialog({ listed, onRevoke, onClose }: KeyProps & { onClose(): void }) {
  const { description, last4, lastUsedAt } = listed
  return (
    <Dialog title={`Revoke ${description}, …${last4}`} onClose={onClose}>
      <p>
        Every request with this key will be refused, for good. It was{' '}
        {lastUsedAt ? `last used ${localTime(lastUsedAt)}` : 'never used'}.
      </p>
      <div class="acts">
        <button type="button" onClick={onClose}>
          Back
        </button>
        <button type="button" class="danger solid" onClick={onRevoke}>
          Revoke key
        </button>
      </div>
    </Dialog>
  )
}

export function NewKeyDialog({ made, onClose }: { made: string; onClose(): void }) {
  return (
    <Dialog title="The new key" onClose={onClose}>
      <p>Keep it now: it is not shown again.</p>
      <p class="new-key">{made}</p>
      <div class="acts">
        <button type="button" onClick={() => void navigator.clipboard.writeText(made)}>
          Copy
        </button>
        <button type="button" class="primary" onClick={onClose}>
          I have kept it
        </button>
      </div>
    </Dialog>
  )
}
