/** Delegations, each with when it holds and a button that ends it. */
import type { Delegation } from '../../../operations/delegations.ts'
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
              <GivenText>{`${delegation.delegate} for ${delegation.signer}`}</GivenText>
            </strong>
            <small>
              <GivenText>{delegation.organization}</GivenText> · {localTime(delegation.startsAt)} to{' '}
              {localTime(delegation.endsAt)}
            </small>
          </span>
          <button
            type="button"
            class="small"
            aria-label={`End: ${unturned(`${delegation.delegate} for ${delegation.signer}`)}`}
            onClick={() => void onEnd(delegation)}
          >
            End
          </button>
        </li>
      ))}
    </ul>
  )
