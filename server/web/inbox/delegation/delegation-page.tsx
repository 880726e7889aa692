/** Who signs for the signer while they are away, and for whom the signer signs. */
import { useEffect, useState } from 'preact/hooks'
import type { Delegation, Delegations } from '../../../operations/delegations.ts'
import { announce } from '../../shared/announce.tsx'
import { call, sentenceOf } from '../../shared/api.ts'
import { announceFailure, isLost, useConnectionRound } from '../../shared/connection.tsx'
import { DelegationList } from '../../shared/delegation/delegation-list.tsx'
import { useTitle } from '../../shared/title.ts'
import { NewDelegation } from './new-delegation.tsx'

const PATH = '/inbox/api/delegations'

export function DelegationPage() {
  const [delegations, setDelegations] = useState<Delegations | null>(null)
  const [problem, setProblem] = useState('')
  const heading = useTitle('Delegation')
  const load = () =>
    call<Delegations>('GET', PATH).then(
      setDelegations,
      (failure: unknown) => isLost(failure) || setProblem(sentenceOf(failure)),
    )
  const round = useConnectionRound()
  useEffect(() => void load(), [round])
  /** Resolves with whether it was done; the signer has been told then. */
  const change = async (path: string, body: object | undefined, done: string): Promise<boolean> => {
    try {
      await call('POST', PATH + path, body)
      announce(done)
      return true
    } catch (failure) {
      announceFailure(failure)
      return false
    } finally {
      await load()
    }
  }
  const end = ({ id }: Delegation) => change(`/${id}/end`, undefined, 'Ended.')
  return (
    <main class="list-page">
      <h1 ref={heading} tabIndex={-1}>
        Delegation
      </h1>
      <p class="problem" role="alert">
        {problem}
      </p>
      {delegations && (
        <>
          <p>
            A colleague of your organization can sign for you while you are away. They see what waits for you there, and
            sign it in their own name, on your behalf.
          </p>
          <section class="panel" aria-labelledby="given">
            <h2 id="given">Who signs for you</h2>
            <DelegationList delegations={delegations.given} nobody="No one right now." onEnd={end} />
            {delegations.colleagues.length > 0 ? (
              <NewDelegation
                colleagues={delegations.colleagues}
                onEnter={(body) => change('', body, 'Your colleague can sign for you during that time.')}
              />
            ) : (
              <p>There is nobody to choose: your organization does not allow this, or nobody else can sign there.</p>
            )}
          </section>
          <section class="panel" aria-labelledby="received">
            <h2 id="received">For whom you sign</h2>
            <DelegationList delegations={delegations.received} nobody="You are not signing for anyone." onEnd={end} />
          </section>
        </>
      )}
    </main>
  )
}
