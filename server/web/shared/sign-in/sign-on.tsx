/** The button of single sign-on; and for someone who has just signed out, the way out of the provider. */
import { useState } from 'preact/hooks'
import type { Account } from '../../../http/callers/account.ts'
import { parts, t } from '../../words/words.ts'
import { call, sentenceOf } from '../api.ts'
import type { Left } from './account.ts'

interface SignOnProps {
  provider: Account['signOn']
  /** Whether this is the only way in. */
  isOnly: boolean
  /** The remainder of an earlier sign-in; null when there is nothing to say. */
  left: Left | null
}

export function SignOn({ provider, isOnly, left }: SignOnProps) {
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  if (!provider) return null
  const begin = async () => {
    setBusy(true)
    setProblem('')
    const returnTo = location.pathname + location.hash
    try {
      const { url } = await call<{ url: string }>('POST', '/account/api/sign-on', { returnTo })
      location.assign(url)
    } catch (failure) {
      setProblem(sentenceOf(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div class="sign-on">
      {left && (
        <p>{parts('signIn.stillAt', { name: left.name, link: <a href={left.endUrl}>{t('signIn.outThere')}</a> })}</p>
      )}
      <button type="button" class={isOnly ? 'primary' : ''} disabled={isBusy} onClick={() => void begin()}>
        {t('signIn.with', { name: provider.name })}
      </button>
      <p class="problem" role="alert">
        {problem}
      </p>
    </div>
  )
}
