/** What the senders' receivers were told: filtered, with each attempt, and sent again one by one or all that failed. */
import { useState } from 'preact/hooks'
import type { Attempt, Delivery, DeliveryFile } from '../../../operations/operator/messages/deliveries.ts'
import { announce } from '../../shared/announce.tsx'
import { sentenceOf } from '../../shared/api.ts'
import { localTime } from '../../shared/format.ts'
import { callAdmin } from '../admin-api.ts'
import { ConsolePage } from '../console-page.tsx'
import { allOr, Filter } from '../filter.tsx'
import { useLive } from '../live.ts'
import { PAGE_SIZE, ShowMore } from '../show-more.tsx'
import { type Columns, Table } from '../table.tsx'
import { Status } from '../tasks/status.tsx'
import { Attempts } from './attempts.tsx'
import { Redeliver, redeliver } from './redeliver.tsx'

const states = ['waiting', 'delivered', 'failed', 'cancelled'] as const satisfies readonly Delivery['state'][]

export function Deliveries() {
  const [state, setState] = useState('')
  const [limit, setLimit] = useState(PAGE_SIZE)
  const query = new URLSearchParams({ limit: `${limit}`, ...(state && { state }) })
  const [deliveries, reload] = useLive<Delivery[]>(`/deliveries?${query}`)
  const tools = (
    <>
      <Filter label="State" value={state} options={allOr(states)} onChange={setState} />
      <RedeliverFailed onDone={reload} />
    </>
  )
  return (
    <ConsolePage title="Deliveries" tools={tools}>
      <Table
        rows={deliveries}
        keyOf={({ id }) => id}
        columns={columns}
        actions={(delivery) => <Redeliver delivery={delivery} onDone={reload} />}
        empty="There are no such deliveries."
      />
      <ShowMore shown={deliveries?.length ?? 0} limit={limit} onMore={setLimit} />
    </ConsolePage>
  )
}

const columns: Columns<Delivery> = [
  { name: 'Delivery', cell: ({ id }) => id },
  {
    name: 'State',
    cell: ({ state, nextAttemptAt }) => (
      <>
        <span class={`badge ${state}`}>{state}</span>
        {nextAttemptAt && <small>next {localTime(nextAttemptAt)}</small>}
      </>
    ),
  },
  {
    name: 'Event',
    cell: ({ status, occurredAt }) => (
      <>
        <Status status={status} />
        <small>{localTime(occurredAt)}</small>
      </>
    ),
  },
  { name: 'Task', cell: ({ taskId }) => <a href={`#/tasks/${taskId}`}>{taskId}</a> },
  { name: 'Attempts', cell: (delivery) => <AttemptsOnDemand delivery={delivery} /> },
]

/** Their number, and the attempts themselves once somebody looks. */
function AttemptsOnDemand({ delivery }: { delivery: Delivery }) {
  const [attempts, setAttempts] = useState<Attempt[] | null>(null)
  const load = async () => {
    try {
      setAttempts((await callAdmin<DeliveryFile>('GET', `/deliveries/${delivery.id}`)).log)
    } catch (failure) {
      announce(sentenceOf(failure), 'wrong')
    }
  }
  return (
    <details onToggle={(event) => event.currentTarget.open && void load()}>
      <summary>{delivery.attempts}</summary>
      {attempts && <Attempts attempts={attempts} />}
    </details>
  )
}

const DAY_MS = 24 * 60 * 60 * 1000
/** When the events happened. It takes three days of attempts until a delivery has failed, so shorter spans would find little. */
const spans = [
  [`${DAY_MS}`, 'the last day'],
  [`${7 * DAY_MS}`, 'the last week'],
  [`${30 * DAY_MS}`, 'the last 30 days'],
] as const

function RedeliverFailed({ onDone }: { onDone(): Promise<void> }) {
  const [spanMs, setSpanMs] = useState<string>(spans[1][0])
  const failedSince = () => new Date(Date.now() - Number(spanMs)).toISOString()
  return (
    <div class="bulk">
      <Filter label="Failed, with events of" value={spanMs} options={spans} onChange={setSpanMs} />
      <button type="button" onClick={() => void redeliver({ failedSince: failedSince() }, onDone)}>
        Send all again
      </button>
    </div>
  )
}
