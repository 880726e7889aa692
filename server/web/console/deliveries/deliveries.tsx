/** What was told to the senders' receivers: filtered, looked into, sent again one by one or all that failed. */
import { useState } from 'preact/hooks'
import type { Attempt, Delivery, DeliveryFile } from '../../../operations/operator/messages/deliveries.ts'
import { announce } from '../../shared/announce.tsx'
import { call, sentenceOf } from '../../shared/api.ts'
import { localTime } from '../../shared/format.ts'
import { useTitle } from '../../shared/title.ts'
import { useLive } from '../live.ts'
import { PAGE, ShowMore } from '../show-more.tsx'
import { Status } from '../tasks/status.tsx'
import { Attempts } from '../tasks/timeline.tsx'
import { Redeliver, redeliver } from './delivery-parts.tsx'

const states = ['waiting', 'delivered', 'failed', 'cancelled'] as const
const DAY_MS = 24 * 60 * 60 * 1000
/** When the events happened. A delivery is tried for three days before it has failed, so shorter spans would find little. */
const spans = [
  ['the last day', DAY_MS],
  ['the last week', 7 * DAY_MS],
  ['the last 30 days', 30 * DAY_MS],
] as const

export function Deliveries() {
  const [state, setState] = useState('')
  const [span, setSpan] = useState<number>(spans[1][1])
  const [limit, setLimit] = useState(PAGE)
  const query = new URLSearchParams({ limit: `${limit}`, ...(state && { state }) })
  const [deliveries, reload] = useLive<Delivery[]>(`/admin/v1/deliveries?${query}`)
  const heading = useTitle('Deliveries')
  const again = async () => {
    await redeliver({ failedSince: new Date(Date.now() - span).toISOString() })
    await reload()
  }
  return (
    <main class="console-page">
      <div class="console-head">
        <h1 ref={heading} tabIndex={-1}>
          Deliveries
        </h1>
        <label class="filter">
          State
          <select value={state} onChange={(event) => setState(event.currentTarget.value)}>
            <option value="">All</option>
            {states.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <div class="bulk">
          <label class="filter">
            Failed, of events of
            <select value={span} onChange={(event) => setSpan(Number(event.currentTarget.value))}>
              {spans.map(([name, ms]) => (
                <option key={ms} value={ms}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <button type="button" onClick={() => void again()}>
            Send all again
          </button>
        </div>
      </div>
      {deliveries?.length === 0 && <p class="empty">There is no such delivery.</p>}
      {deliveries && deliveries.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Delivery</th>
              <th scope="col">State</th>
              <th scope="col">Event</th>
              <th scope="col">Task</th>
              <th scope="col">Attempts</th>
              <th scope="col">
                <span class="only-heard">Act</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {deliveries.map((delivery) => (
              <Row key={delivery.id} delivery={delivery} onChange={reload} />
            ))}
          </tbody>
        </table>
      )}
      <ShowMore shown={deliveries?.length ?? 0} limit={limit} onMore={setLimit} />
    </main>
  )
}

function Row({ delivery, onChange }: { delivery: Delivery; onChange(): Promise<void> }) {
  const [attempts, setAttempts] = useState<Attempt[] | null>(null)
  const look = async () => {
    try {
      setAttempts((await call<DeliveryFile>('GET', `/admin/v1/deliveries/${delivery.id}`)).log)
    } catch (failure) {
      announce(sentenceOf(failure), 'wrong')
    }
  }
  return (
    <tr>
      <th scope="row">{delivery.id}</th>
      <td data-label="State">
        <span class={`badge ${delivery.state}`}>{delivery.state}</span>
        {delivery.nextAttemptAt && <small>next {localTime(delivery.nextAttemptAt)}</small>}
      </td>
      <td data-label="Event">
        <Status status={delivery.status} />
        <small>{localTime(delivery.occurredAt)}</small>
      </td>
      <td data-label="Task">
        <a href={`#/tasks/${delivery.taskId}`}>{delivery.taskId}</a>
      </td>
      <td data-label="Attempts">
        <details onToggle={(event) => event.currentTarget.open && void look()}>
          <summary>{delivery.attempts}</summary>
          {attempts && <Attempts attempts={attempts} />}
        </details>
      </td>
      <td>
        <Redeliver delivery={delivery} onDone={onChange} />
      </td>
    </tr>
  )
}
