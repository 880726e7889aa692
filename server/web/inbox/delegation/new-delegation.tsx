/** Where a signer chooses a colleague and the days on which the colleague signs. */
import type { DelegationBody, Delegations } from '../../../operations/delegations.ts'
import { serviceTime } from '../../shared/service-clock.ts'
import { t } from '../../words/words.ts'
import { delegatedDays, isoDay } from './delegated-days.ts'

interface NewDelegationProps {
  colleagues: Delegations['colleagues']
  /** Resolves with whether it was done. */
  onEnter(body: DelegationBody): Promise<boolean>
}

export function NewDelegation({ colleagues, onEnter }: NewDelegationProps) {
  const today = isoDay(serviceTime())
  const enter = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const entered = new FormData(form)
    const { npi: delegateNpi, organizationId } = colleagues[Number(entered.get('colleague'))]!
    const days = delegatedDays(String(entered.get('first')), String(entered.get('last')), serviceTime())
    if (await onEnter({ delegateNpi, organizationId, ...days })) form.reset()
  }
  return (
    <form class="new-delegation" onSubmit={(event) => void enter(event)}>
      <label>
        {t('delegation.colleague')}
        <select name="colleague" required>
          {colleagues.map(({ npi, name, organizationId, organization }, index) => (
            <option key={`${npi} ${organizationId}`} value={index}>
              {name} ({organization})
            </option>
          ))}
        </select>
      </label>
      <label>
        {t('delegation.first')}
        <input type="date" name="first" min={today} defaultValue={today} required />
      </label>
      <label>
        {t('delegation.last')}
        <input type="date" name="last" min={today} required />
      </label>
      <button type="submit" class="primary">
        {t('delegation.let')}
      </button>
    </form>
  )
}
