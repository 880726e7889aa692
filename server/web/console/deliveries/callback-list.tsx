/** Callbacks as the address of the page narrows them, newest first, each with its attempts. */
import { useState } from 'preact/hooks'
import type { Attempt, Delivery, DeliveryFile } from '../../../operations/operator/messages/deliveries.ts'
import { announceFailure } from '../../shared/connection.tsx'
import { localTime } from '../../shared/format.ts'
import { useListQuery } from '../../shared/route.ts'
import { t } from '../../words/words.ts'
import { callAdmin } from '../admin-api.ts'
import { useKeptScroll } from '../kept-scroll.ts'
import { useLive } from '../live.ts'
import { partIn, partWords, queryOf, ShowMore } from '../show-more.tsx'
import { type Columns, Table } from '../table.tsx'
import { Status } from '../tasks/status.tsx'
import { Attempts } from './attempts.tsx'
import { EndedBy } from './ended-by.tsx'
import { NextAttempt } from './next-attempt.tsx'
import { Redeliver } from './redeliver.tsx'

interface CallbackListProps {
  /** The state; all states where it is omitted. */
  state?: Delivery['state'] | ''
  /** To all receivers where it is null. */
  subscriptionId: number | null
}

export function CallbackList({ state = '', subscriptionId }: CallbackListProps) {
  const [wanted, change] = useListQuery()
  const part = partIn(wanted)
  const query = new URLSearchParams({
    ...queryOf(part),
    ...(state && { state }),
    ...(subscriptionId !== null && { subscriptionId: `${subscriptionId}` }),
  })
  const [deliveries, reload] = useLive<Delivery[]>(`/deliveries?${query}`)
  useKeptScroll(deliveries !== null)
  return (
    <>
      <Table
        rows={deliveries}
        keyOf={({ id }) => id}
        columns={columns}
        actions={(delivery) => <Redeliver delivery={delivery} onDone={reload} />}
        empty={t('callbacks.noMatch')}
      />
      <ShowMore ids={deliveries?.map(({ id }) => id) ?? []} part={part} onPart={(next) => change(partWords(next))} />
    </>
  )
}

const columns: Columns<Delivery> = [
  { name: t('delivery.id'), cell: ({ id }) => id },
  {
    name: t('list.state'),
    cell: (delivery) => (
      <>
        <span class={`badge ${delivery.state}`}>{t(`delivery.state.${delivery.state}`)}</span>
        <NextAttempt delivery={delivery} />
        <EndedBy delivery={delivery} />
      </>
    ),
  },
  {
    name: t('delivery.event'),
    cell: ({ status, occurredAt }) => (
      <>
        <Status status={status} />
        <small>{localTime(occurredAt)}</small>
      </>
    ),
  },
  {
    name: t('console.receiver'),
    cell: ({ subscriptionId }) => <a href={`#/receivers/${subscriptionId}`}>{subscriptionId}</a>,
  },
  { name: t('console.task'), cell: ({ taskId }) => <a href={`#/tasks/${taskId}`}>{taskId}</a> },
  { name: t('delivery.attempts'), cell: (delivery) => <AttemptsOnDemand delivery={delivery} /> },
]

/** Their number, and the attempts themselves once someone looks. */
function AttemptsOnDemand({ delivery }: { delivery: Delivery }) {
  const [attempts, setAttempts] = useState<Attempt[] | null>(null)
  const load = async () => {
    try {
      setAttempts((await callAdmin<DeliveryFile>('GET', `/deliveries/${delivery.id}`)).log)
    } catch (failure) {
      announceFailure(failure)
    }
  }
  return (
    <details onToggle={(event) => event.currentTarget.open && void load()}>
      <summary>{delivery.attempts}</summary>
      {attempts && <Attempts attempts={attempts} />}
    </details>
  )
}
