/**
 * Tests a receiver with its newest event: sent again now, signed as always. A receiver knows it by its event id, and does nothing
 * twice. Before there is one, it gets a test event.
 */
import { useState } from 'preact/hooks'
import type { TestAnswer } from '../../../domain/delivery/attempt.ts'
import type { Delivery } from '../../../operations/operator/messages/deliveries.ts'
import type { Receiver } from '../../../operations/operator/messages/receivers.ts'
import { announce } from '../../shared/announce.tsx'
import { announceFailure } from '../../shared/connection.tsx'
import { t } from '../../words/words.ts'
import { callAdmin } from '../admin-api.ts'
import { outcomeOf } from '../deliveries/attempts.tsx'
import { redeliver } from '../deliveries/redeliver.tsx'

interface TestButtonProps {
  receiver: Receiver
  onDone(): Promise<void>
  /** Whether the answer to a test event stays next to the button. */
  showsAnswer?: boolean
}

export function TestButton({ receiver: { subscriptionId, isActive }, onDone, showsAnswer = false }: TestButtonProps) {
  const [answered, setAnswered] = useState('')
  const [isBusy, setBusy] = useState(false)
  if (!isActive) return null
  const say = (answer: TestAnswer) => {
    const sentence = t('receiver.tested', { outcome: outcomeOf(answer), ms: answer.durationMs })
    if (showsAnswer) setAnswered(sentence)
    else announce(sentence)
  }
  const test = async () => {
    setBusy(true)
    setAnswered('')
    try {
      const newest = await callAdmin<Delivery[]>('GET', `/deliveries?subscriptionId=${subscriptionId}&limit=1`)
      if (newest[0]) await redeliver({ deliveryId: newest[0].id }, onDone)
      else say(await callAdmin<TestAnswer>('POST', `/receivers/${subscriptionId}/test`))
    } catch (failure) {
      announceFailure(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <button type="button" disabled={isBusy} title={t('receiver.testIs')} onClick={() => void test()}>
        {t('receiver.test')}
      </button>
      {showsAnswer && <span role="status">{answered}</span>}
    </>
  )
}
