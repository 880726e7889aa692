/** Tests a receiver with its newest event: sent again now, signed as always. A receiver knows it by its event id, and does nothing twice. */
import { useState } from 'preact/hooks'
import type { Delivery } from '../../../operations/operator/messages/deliveries.ts'
import type { Receiver } from '../../../operations/operator/messages/receivers.ts'
import { announce } from '../../shared/announce.tsx'
import { announceFailure } from '../../shared/connection.tsx'
import { t } from '../../words/words.ts'
import { callAdmin } from '../admin-api.ts'
import { redeliver } from '../deliveries/redeliver.tsx'

interface TestButtonProps {
  receiver: Receiver
  onDone(): Promise<void>
}

export function TestButton({ receiver: { subscriptionId, isActive }, onDone }: TestButtonProps) {
  const [isBusy, setBusy] = useState(false)
  if (!isActive) return null
  const test = async () => {
    setBusy(true)
    try {
      const newest = await callAdmin<Delivery[]>('GET', `/deliveries?subscriptionId=${subscriptionId}&limit=1`)
      if (newest[0]) await redeliver({ deliveryId: newest[0].id }, onDone)
      else announce(t('receiver.noEvent'), 'wrong')
    } catch (failure) {
      announceFailure(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <button type="button" disabled={isBusy} title={t('receiver.testIs')} onClick={() => void test()}>
      {t('receiver.test')}
    </button>
  )
}
