/** Sends a request again, or a webhook to its receiver, and shows what came of it. */
import { useState } from 'preact/hooks'
import { announceFailure } from '../shared/connection.tsx'
import { t } from '../words/words.ts'
import { type Exchange, type Replay, roomCall } from './room-api.ts'

interface SendAgainProps {
  exchange: Exchange
  /** Called when it was sent again. */
  onReplay(): Promise<void>
}

export function SendAgain({ exchange: { id, direction, operation }, onReplay }: SendAgainProps) {
  const [outcome, setOutcome] = useState('')
  const [isBusy, setBusy] = useState(false)
  const replay = async (lookFirst: boolean) => {
    setBusy(true)
    try {
      setOutcome((await roomCall<Replay>('POST', `requests/${id}/replay`, { lookFirst })).outcome)
    } catch (failure) {
      announceFailure(failure)
    }
    setBusy(false)
    await onReplay()
  }
  if (direction === 'caught') return null
  return (
    <>
      <button type="button" class="small" disabled={isBusy} onClick={() => void replay(true)}>
        {direction === 'webhook' ? t('replay.receiver') : t('replay.again')}
      </button>
      {operation === 'createTask' && (
        <button type="button" class="small" disabled={isBusy} onClick={() => void replay(false)}>
          {t('replay.blind')}
        </button>
      )}
      <span role="status">{outcome}</span>
    </>
  )
}
