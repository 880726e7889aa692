/** Who signs for the signer while they are away, and for whom the signer signs. */
import { useEffect, useState } from 'preact/hooks'
import type { Delegation, Delegations } from '../../../operations/delegations.ts'
import { announce } from '../../shared/announce.tsx'
import { call, sentenceOf } from '../../shared/api.ts'
import { announceFailure, isLost, useConnectionRound } from '../../shared/connection.tsx'
import { DelegationList } from '../../shared/delegation/delegation-list.tsx'
import { useTitle } from '../../shared/title.ts'
import { t } from '../../words/words.ts'
import { NewDelegation } from './new-delegation.tsx'

const PATH = '/inbox/api/delegations'

export function DelegationPage() {
  const [delegations, setDelegations] = useState<Delegations | null>(null)
  const [problem, setProblem] = useState('')
  const heading = useTitle(t('delegation.title'))
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
  const end = ({ id }: Delegation) => change(`/${id}/end`, undefined, t('delegation.ended'))
  return (
    <main class="list-page">
      <h1 ref={heading} tabIndex={-1}>
        {t('delegation.title')}
      </h1>
      <p class="problem" role="alert">
        {problem}
      </p>
      {delegations && (
        <>
          <p>{t('delegation.text')}</p>
          <section class="panel" aria-labelledby="given">
            <h2 id="given">{t('delegation.given')}</h2>
            <DelegationList delegations={delegations.given} nobody={t('delegation.noOne')} onEnd={end} />
            {delegations.colleagues.length > 0 ? (
              <NewDelegation
                colleagues={delegations.colleagues}
                onEnter={(body) => change('', body, t('delegation.made'))}
              />
            ) : (
              <p>{t('delegation.nobody')}</p>
            )}
          </section>
          <section class="panel" aria-labelledby="received">
            <h2 id="received">{t('delegation.received')}</h2>
            <DelegationList delegations={delegations.received} nobody={t('delegation.notSigning')} onEnd={end} />
          </section>
        </>
      )}
    </main>
  )
}
