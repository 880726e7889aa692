/** Where callbacks go, and how each receiver is doing. */
import type { Receiver } from '../../../operations/operator/messages/receivers.ts'
import { grouped, waitingFor } from '../../shared/format.ts'
import { serviceTime } from '../../shared/service-clock.ts'
import { ConsolePage } from '../console-page.tsx'
import { useKeptScroll } from '../kept-scroll.ts'
import { useLive } from '../live.ts'
import { type Columns, Table } from '../table.tsx'
import { lastAnswer, ReceiverState, receiverName } from './receiver-state.tsx'
import { Sparkline } from './sparkline.tsx'

export function Receivers() {
  const [receivers] = useLive<Receiver[]>('/receivers')
  useKeptScroll(receivers !== null)
  return (
    <ConsolePage
      title="Receivers"
      tools={
        <a class="button quiet" href="#/deliveries">
          All callbacks
        </a>
      }
    >
      <Table
        rows={receivers}
        keyOf={({ subscriptionId }) => subscriptionId}
        columns={columns}
        empty="No receivers yet. A sender adds one by subscribing to events."
        class="linked"
      />
    </ConsolePage>
  )
}

const columns: Columns<Receiver> = [
  {
    name: 'Receiver',
    cell: (receiver) => (
      <>
        <a href={`#/receivers/${receiver.subscriptionId}`}>{receiverName(receiver)}</a>
        <small>{receiver.origin}</small>
      </>
    ),
  },
  { name: 'Organization', cell: ({ organization }) => organization },
  { name: 'State', cell: (receiver) => <ReceiverState receiver={receiver} /> },
  {
    name: 'Waiting',
    cell: ({ waiting, oldestWaiting }) => (
      <>
        {grouped(waiting)}
        {oldestWaiting && <small>oldest {waitingFor(oldestWaiting, serviceTime().getTime())}</small>}
      </>
    ),
  },
  { name: 'Last answer', cell: lastAnswer },
  { name: 'Last 24 hours', cell: ({ hours }) => <Sparkline hours={hours} /> },
]
