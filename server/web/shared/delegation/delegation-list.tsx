/** Delegations, each with when it holds and a button that ends it. */
import type { Delegation } from '../../../operations/delegations.ts'
import { t } from '../../words/words.ts'
import { localTime } from '../format.ts'
import { GivenText, unturned } from '../text/given-text.tsx'

interface DelegationListProps {
  delegations: readonly Delegation[]
  /** The text for an empty list. */
  nobody: string
  onEnd(delegation: Delegation): Promise<unknown>
}

export const DelegationList = ({ delegations, nobody, onEnd }: DelegationListProps) =>
  delegations.length === 0 ? (
    <p>{nobody}</p>
  ) : (
    <ul class="delegations">
      {delegations.map((delegation) => (
        <li key={delegation.id}>
          <span class="delegation">
            <strong>
              <GivenText>{pairOf(delegation)}</GivenText>
            </strong>
            <small>
              <GivenText>{delegation.organization}</GivenText> ·{' '}
              {t('delegations.span', { from: localTime(delegation.startsAt), until: localTime(delegation.endsAt) })}
            </small>
          </span>
          <button
            type="button"
            class="small"
            aria-label={t('delegations.endOf', { pair: unturned(pairOf(delegation)) })}
            onClick={() => void onEnd(delegation)}
          >
            {t('delegations.end')}
          </button>
        </li>
      ))}
    </ul>
  )

const pairOf = ({ delegate, signer }: Delegation) => t('delegations.pair', { delegate, signer })
