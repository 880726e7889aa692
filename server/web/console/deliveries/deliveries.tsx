/**
 * Lists deliveries to the senders' receivers: filtered, with each attempt, and resent one by one or all that ended without
 * success.
 */
import { useState } from 'preact/hooks'
import type { Attempt, Delivery, DeliveryFile } from '../../../operations/operator/messages/deliveries.ts'
import { announce } from '../../shared/announce.tsx'
import { sentenceOf } from '../../shared/api.ts'
import { localTime } from '../../shared/format.ts'
import { useListQuery } from '../../shared/route.ts'
import { callAdmin } from '../admin-api.ts'
import { ConsolePage } from '../console-page.tsx'
import { allOr, Filter } from '../filter.tsx'
import { useKeptScroll } from '../kept-scroll.ts'
import { useLive } from '../live.ts'
import { NEWEST, partIn, partWords, queryOf, ShowMore } from '../show-more.tsx'
import { type Columns, Table } from '../table.tsx'
import { Status } from '../tasks/status.tsx'
import { Attempts } from './attempts.tsx'
import { EndedBy } from './ended-by.tsx'
import { NextAttempt } from './next-attempt.tsx'
import { Redeliver } from './redeliver.tsx'
import { RedeliverEnded } from './redeliver-ended.tsx'

const states = ['waiting', 'delivered', 'failed', 'cancelled'] as const satisfies readonly Delivery['state'][]

export function Deliveries() {
  const [wanted, change] = useListQuery()
  const state = states.find((known) => known === wanted.get('state')) ?? ''
  const subscriptionId = Number(wanted.get('subscription')) || null
  const part = partIn(wanted)
  const query = new URLSearchParams({
    ...queryOf(part),
    ...(state && { state }),
    ...(subscriptionId !== null && { subscriptionId: `${subscriptionId}` }),
  })
  const [deliveries, reload] = useLive<Delivery[]>(`/deliveries?${query}`)
  useKeptScroll(deliveries !== null)
  const tools = (
    <>
      <div class="bulk">
        <Filter
          label="State"
          value={state}
          options={allOr(states)}
          onChange={(state) => change({ ...partWords(NEWEST), state })}
        />
        <SubscriptionFilter
          value={subscriptionId}
          onChange={(id) => change({ ...partWords(NEWEST), subscription: id === null ? null : `${id}` })}
        />
      </div>
      <RedeliverEnded subscriptionId={subscriptionId} onDone={reload} />
    </>
  )
  return (
    <ConsolePage title="Deliveries" tools={tools}>
      <Table
        rows={deliveries}
        keyOf={({ id }) => id}
        columns={columns}
        actions={(delivery) => <Redeliver delivery={delivery} onDone={reload} />}
        empty="No callbacks match these filters."
      />
      <ShowMore ids={deliveries?.map(({ id }) => id) ?? []} part={part} onPart={(next) => change(partWords(next))} />
    </ConsolePage>
  )
}

const columns: Columns<Delivery> = [
  { name: 'Delivery', cell: ({ id }) => id },
  {
    name: 'State',
    cell: (delivery) => (
      <>
        <span class={`badge ${delivery.state}`}>{delivery.state}</span>
        <NextAttempt delivery={delivery} />
        <EndedBy delivery={delivery} />
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
  { name: 'Subscription', cell: ({ subscriptionId }) => subscriptionId },
  { name: 'Task', cell: ({ taskId }) => <a href={`#/tasks/${taskId}`}>{taskId}</a> },
  { name: 'Attempts', cell: (delivery) => <AttemptsOnDemand delivery={delivery} /> },
]

/** Subscriptions are the senders' own, so there is no list to choose from: the operator types the id that a delivery shows. */
const SubscriptionFilter = ({ value, onChange }: { value: number | null; onChange(id: number | null): void }) => (
  <label class="filter">
    Subscription
    <input
      type="number"
      class="id"
      min="1"
      placeholder="All"
      value={value ?? ''}
      onInput={({ currentTarget }) =>
        onChange(currentTarget.validity.valid ? currentTarget.valueAsNumber || null : null)
      }
    />
  </label>
)

/** Their number, and the attempts themselves once someone looks. */
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
