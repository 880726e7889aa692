/** Lists the deliveries to senders' receivers, narrowed by the address, and resends all that ended without success. */
import type { Delivery } from '../../../operations/operator/messages/deliveries.ts'
import { useListQuery } from '../../shared/route.ts'
import { t } from '../../words/words.ts'
import { ConsolePage } from '../console-page.tsx'
import { allOr, Filter } from '../filter.tsx'
import { NEWEST, partWords } from '../show-more.tsx'
import { CallbackList } from './callback-list.tsx'
import { RedeliverEnded } from './redeliver-ended.tsx'

const states = ['waiting', 'delivered', 'failed', 'cancelled'] as const satisfies readonly Delivery['state'][]

export function Deliveries() {
  const [wanted, change] = useListQuery()
  const state = states.find((known) => known === wanted.get('state')) ?? ''
  const subscriptionId = Number(wanted.get('subscription')) || null
  const tools = (
    <>
      <div class="bulk">
        <Filter
          label={t('list.state')}
          value={state}
          options={allOr(states, (known) => t(`delivery.state.${known}`))}
          onChange={(state) => change({ ...partWords(NEWEST), state })}
        />
        <SubscriptionFilter
          value={subscriptionId}
          onChange={(id) => change({ ...partWords(NEWEST), subscription: id === null ? null : `${id}` })}
        />
      </div>
      <RedeliverEnded subscriptionId={subscriptionId} onDone={async () => {}} />
    </>
  )
  return (
    <ConsolePage title={t('delivery.title')} back={{ route: 'receivers', name: t('console.receivers') }} tools={tools}>
      <CallbackList state={state} subscriptionId={subscriptionId} />
    </ConsolePage>
  )
}

/** Filters by the number of a subscription, which each delivery shows. */
const SubscriptionFilter = ({ value, onChange }: { value: number | null; onChange(id: number | null): void }) => (
  <label class="filter">
    {t('delivery.subscription')}
    <input
      type="number"
      class="id"
      min="1"
      placeholder={t('filter.all')}
      value={value ?? ''}
      onInput={({ currentTarget }) =>
        onChange(currentTarget.validity.valid ? currentTarget.valueAsNumber || null : null)
      }
    />
  </label>
)
