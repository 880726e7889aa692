/** Whether a signer is active, and the question that comes before that ends. */
import { useState } from 'preact/hooks'
import type { ProviderChangeBody, StoredProvider } from '../../../operations/operator/messages/providers.ts'
import { announceFailure } from '../../shared/connection.tsx'
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx'
import { t } from '../../words/words.ts'
import { act } from '../act.ts'
import { callAdmin } from '../admin-api.ts'

export function SignerActive({ signer, reload }: { signer: StoredProvider; reload(): Promise<void> }) {
  const { npi, signingName } = signer
  /** How many orders wait for a signer who is about to be deactivated, counted up to `MAX_COUNTED`; null while no one asks. */
  const [orders, setOrders] = useState<number | null>(null)
  const setActive = (isActive: boolean) => {
    setOrders(null)
    const body: ProviderChangeBody = { isActive }
    const done = isActive ? t('signer.isActive', { npi }) : t('signer.notActive', { name: signingName })
    return act('PATCH', `/providers/${npi}`, { body, done, reload })
  }
  const ask = async () => {
    const waiting = `/tasks?status=Pending&signer=${npi}&limit=${MAX_COUNTED}`
    try {
      setOrders((await callAdmin<unknown[]>('GET', waiting)).length)
    } catch (failure) {
      announceFailure(failure)
    }
  }
  return (
    <>
      <label class="touch">
        <input
          type="checkbox"
          aria-label={t('signer.nameIsActive', { name: signingName })}
          checked={signer.isActive}
          onClick={(event) => {
            // It shows what the service says, and not what is still being asked.
            event.preventDefault()
            void (signer.isActive ? ask() : setActive(true))
          }}
        />
      </label>
      {orders !== null && (
        <ConfirmDialog
          title={t('signer.deactivateAsk', { name: signingName })}
          verb={t('signer.deactivate')}
          onConfirm={() => void setActive(false)}
          onClose={() => setOrders(null)}
        >
          {consequenceOf(orders)}
        </ConfirmDialog>
      )}
    </>
  )
}

/** As many as the list gives at once. */
const MAX_COUNTED = 500

function consequenceOf(orders: number): string {
  if (orders === 0) return t('signer.noOrders')
  return orders < MAX_COUNTED ? t('signer.orders', { count: orders }) : t('signer.manyOrders', { number: orders })
}
