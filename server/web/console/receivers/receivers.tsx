/** Where callbacks go, and how each receiver is doing. */
import type { Receiver } from '../../../operations/operator/messages/receivers.ts'
import { grouped, waitingFor } from '../../shared/format.ts'
import { serviceTime } from '../../shared/service-clock.ts'
import { t } from '../../words/words.ts'
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
      title={t('console.receivers')}
      tools={
        <a class="button quiet" href="#/deliveries">
          {t('receiver.allCallbacks')}
        </a>
      }
    >
      <Table
        rows={receivers}
        keyOf={({ subscriptionId }) => subscriptionId}
        columns={columns}
        empty={t('receiver.noneYet')}
        class="linked"
      />
    </ConsolePage>
  )
}

const columns: Columns<Receiver> = [
  {
    name: t('console.receiver'),
    cell: (receiver) => (
      <>
        <a href={`#/receivers/${receiver.subscriptionId}`}>{receiverName(receiver)}</a>
        <small>{receiver.origin}</small>
      </>
    ),
  },
  { name: t('console.organization'), cell: ({ organization }) => organization },
  { name: t('list.state'), cell: (receiver) => <ReceiverState receiver={receiver} /> },
  {
    name: t('receiver.waiting'),
    cell: ({ waiting, oldestWaiting }) => (
      <>
        {grouped(waiting)}
        {oldestWaiting && (
          <small>{t('receiver.oldestFor', { age: waitingFor(oldestWaiting, serviceTime().getTime()) })}</small>
        )}
      </>
    ),
  },
  { name: t('receiver.lastAnswer'), cell: lastAnswer },
  { name: t('receiver.last24'), cell: ({ hours }) => <Sparkline hours={hours} /> },
]
