/** Resends the callbacks of a receiver whose events occurred from one time to another, with a count before and a report after. */
import { useEffect, useState } from 'preact/hooks'
import type { Delivery, RedeliverBody, Redelivered } from '../../../operations/operator/messages/deliveries.ts'
import type { Receiver } from '../../../operations/operator/messages/receivers.ts'
import { announce } from '../../shared/announce.tsx'
import { announceFailure } from '../../shared/connection.tsx'
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx'
import { fieldTime } from '../../shared/format.ts'
import { serviceTime } from '../../shared/service-clock.ts'
import { t } from '../../words/words.ts'
import { callAdmin } from '../admin-api.ts'
import { receiverName } from './receiver-state.tsx'

type State = Delivery['state']
const states = [
  ['failed', t('callback.failed')],
  ['cancelled', t('callback.cancelled')],
  ['waiting', t('callback.waiting')],
  ['delivered', t('callback.delivered')],
] as const satisfies readonly (readonly [State, string])[]

/** The values of the form; the times are local, as the fields of the browser have them. */
interface Chosen {
  from: string
  to: string
  states: readonly State[]
}

export function ResendWindow({ receiver, onDone }: { receiver: Receiver; onDone(): Promise<void> }) {
  const { subscriptionId } = receiver
  const [chosen, setChosen] = useState<Chosen>(() => ({ ...lastDay(), states: ['failed', 'cancelled'] }))
  const [found, setFound] = useState<number | null>(null)
  const [isAsking, setAsking] = useState(false)
  const [sent, setSent] = useState<number | null>(null)
  const body = bodyOf(subscriptionId, chosen)
  const key = JSON.stringify(body)
  useEffect(() => {
    setFound(null)
    const asked = JSON.parse(key) as RedeliverBody | null
    if (!asked) return
    let isCurrent = true
    resendAll({ ...asked, dryRun: true }, () => isCurrent).then(
      (number) => isCurrent && setFound(number),
      (failure: unknown) => isCurrent && announceFailure(failure),
    )
    return () => {
      isCurrent = false
    }
  }, [key])
  const send = async () => {
    setAsking(false)
    if (!body) return
    try {
      setSent(0)
      const number = await resendAll(body, () => true, setSent)
      announce(number === 0 ? t('resend.none') : t('resend.queued', { count: number }))
    } catch (failure) {
      announceFailure(failure)
    } finally {
      setSent(null)
      await onDone()
    }
  }
  const time = (label: string, name: 'from' | 'to') => (
    <label class="filter">
      {label}
      <input
        type="datetime-local"
        required
        value={chosen[name]}
        onInput={({ currentTarget }) => setChosen({ ...chosen, [name]: currentTarget.value })}
      />
    </label>
  )
  return (
    <section class="panel" aria-labelledby="resend">
      <h2 id="resend">{t('resend.title')}</h2>
      <div class="filters">
        {time(t('resend.from'), 'from')}
        {time(t('resend.to'), 'to')}
        <button type="button" class="quiet" onClick={() => setChosen(lastEvening())}>
          {t('resend.evening')}
        </button>
        {receiver.pause && (
          <button type="button" class="quiet" onClick={() => setChosen({ ...chosen, ...since(receiver.pause!.since) })}>
            {t('resend.pause')}
          </button>
        )}
      </div>
      <fieldset class="filters">
        <legend>{t('resend.which')}</legend>
        {states.map(([state, name]) => (
          <label key={state} class="filter">
            <input
              type="checkbox"
              checked={chosen.states.includes(state)}
              onChange={({ currentTarget: { checked } }) =>
                setChosen({
                  ...chosen,
                  states: checked ? [...chosen.states, state] : chosen.states.filter((one) => one !== state),
                })
              }
            />
            {name}
          </label>
        ))}
      </fieldset>
      <p class="bulk">
        <button type="button" disabled={!found || sent !== null || !receiver.isActive} onClick={() => setAsking(true)}>
          {t('resend.title')}
        </button>
        <span role="status">{reportOf(body, found, sent, receiver.isActive)}</span>
      </p>
      {isAsking && found !== null && (
        <ConfirmDialog
          title={t('resend.ask', { count: found })}
          verb={t('resend.verb', { number: found })}
          onConfirm={() => void send()}
          onClose={() => setAsking(false)}
        >
          {t('resend.text', { name: receiverName(receiver) })}
        </ConfirmDialog>
      )}
    </section>
  )
}

function reportOf(body: RedeliverBody | null, found: number | null, sent: number | null, isActive: boolean): string {
  if (!isActive) return t('resend.off')
  if (sent !== null) return t('resend.progress', { number: sent })
  if (!body) return t('resend.choose')
  if (found === null) return t('resend.counting')
  return found === 0 ? t('resend.none') : t('resend.would', { count: found })
}

/** Repeats the call until nothing is left; each takes a limited number. Returns how many there were. */
async function resendAll(
  body: RedeliverBody,
  isWanted: () => boolean,
  onProgress: (number: number) => void = () => {},
): Promise<number> {
  let number = 0
  for (let after: number | null | undefined; after !== null && isWanted(); ) {
    const { count: more, next }: Redelivered = await callAdmin('POST', '/deliveries/redeliver', { ...body, after })
    number += more
    onProgress(number)
    after = next
  }
  return number
}

/** Null while the form names no window, or no callbacks. */
function bodyOf(subscriptionId: number, { from, to, states: chosen }: Chosen): RedeliverBody | null {
  const [since, until] = [new Date(from), new Date(to)]
  if (!(since.getTime() < until.getTime()) || chosen.length === 0) return null
  return { subscriptionId, since: since.toISOString(), until: until.toISOString(), states: [...chosen] }
}

const since = (from: string) => ({ from: fieldTime(new Date(from)), to: fieldTime(minuteAfter(serviceTime())) })
/** The field has no seconds. */
const minuteAfter = (at: Date) => new Date(at.getTime() + 60_000)
const lastDay = () => since(new Date(serviceTime().getTime() - 24 * 60 * 60 * 1000).toISOString())

/** Who asks for an evening again means all of it, also what was delivered. */
function lastEvening(): Chosen {
  const today = serviceTime()
  const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()]
  const window = { from: fieldTime(new Date(year, month, day - 1, 18)), to: fieldTime(new Date(year, month, day)) }
  return { ...window, states: states.map(([state]) => state) }
}
