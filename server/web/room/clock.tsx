/** The clock of the sandbox: what it says, what is due, and how far to put it forward. */
import { useState } from 'preact/hooks'
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import type { Due, Reading } from '../../operations/sandbox/messages.ts'
import { announce } from '../shared/announce.tsx'
import { announceFailure } from '../shared/connection.tsx'
import { exactTime } from '../shared/format.ts'
import { t } from '../words/words.ts'
import { roomCall } from './room-api.ts'
import { useLooks } from './use-looks.ts'

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 24 * HOUR_SECONDS
const LONGEST_SECONDS = 100 * DAY_SECONDS

export function Clock() {
  const [reading, lookAgain] = useLooks<Reading>('clock')
  const [due, dueAgain] = useLooks<Due>('clock/due')
  const [until, setUntil] = useState('')
  const advance = async (seconds: number) => {
    const whole = Math.ceil(seconds)
    if (!(whole >= 1 && whole <= LONGEST_SECONDS)) return announce(t('clock.choose'), 'wrong')
    // The answer may take 25 seconds; the looks show the progress.
    roomCall('POST', 'clock', { advanceSeconds: whole }).catch((failure) => announceFailure(failure))
    await Promise.all([lookAgain(), dueAgain()])
  }
  const stop = () => roomCall('DELETE', 'clock').then(lookAgain, (failure) => announceFailure(failure))
  const secondsUntil = (at: string) => (reading ? (Date.parse(at) - Date.parse(reading.now)) / 1000 : Number.NaN)
  const isMoving = reading?.reached === false

  return (
    <section class="panel room-clock" aria-labelledby="room-clock">
      <h2 id="room-clock">{t('clock.title')}</h2>
      <p class="room-time" role="timer">
        <strong>{reading ? exactTime(reading.now) : '…'}</strong>
        {isMoving && reading && <span> {t('clock.moving', { time: exactTime(reading.target) })}</span>}
      </p>
      <div class="room-steps">
        {due?.nextAt && (
          <button type="button" class="primary" onClick={() => void advance(Math.max(1, secondsUntil(due.nextAt!)))}>
            {t('clock.next')}
          </button>
        )}
        <button type="button" onClick={() => void advance(HOUR_SECONDS)}>
          {t('clock.hour')}
        </button>
        <button type="button" onClick={() => void advance(DAY_SECONDS)}>
          {t('clock.day')}
        </button>
        <button type="button" onClick={() => void advance(30 * DAY_SECONDS)}>
          {t('clock.month')}
        </button>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void advance(secondsUntil(new Date(until).toISOString()))
          }}
        >
          <input
            type="datetime-local"
            aria-label={t('clock.forward')}
            required
            value={until}
            onInput={(event) => setUntil((event.currentTarget as HTMLInputElement).value)}
          />
          <button type="submit">{t('clock.go')}</button>
        </form>
        {isMoving && (
          <button type="button" class="danger" onClick={() => void stop()}>
            {t('clock.stop')}
          </button>
        )}
      </div>
      {due && due.webhooks.length > 0 && (
        <details>
          <summary>{t('clock.waiting', { count: due.webhooks.length })}</summary>
          <ul class="room-due">
            {due.webhooks.map(({ taskId, status, attempts, at }) => (
              <li key={`${taskId} ${status} ${at}`}>{dueInWords({ taskId, status, attempts, at })}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function dueInWords({ taskId, status, attempts, at }: Due['webhooks'][number]): string {
  const values = { status: t(`status.${status as TaskStatus}`), id: String(taskId), time: exactTime(at) }
  return attempts === 0 ? t('clock.first', values) : t('clock.after', { ...values, count: attempts })
}
