/** The sign-in form, single sign-on, and in a sandbox the people to sign in as. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Account } from '../../../http/callers/account.ts'
import { sentenceOf } from '../api.ts'
import { Logo } from '../logo.tsx'
import { useTitle } from '../title.ts'
import type { Credentials } from './account.ts'
import { DemoPeople } from './demo-people.tsx'
import './sign-in.css'
import { LanguageChoice } from '../../words/language-choice.tsx'
import { t } from '../../words/words.ts'

interface SignInProps {
  place: string
  notice: string
  /** The other page that people sign in to. */
  elsewhere: { href: string; name: string }
  demoPeople: Account['demoPeople']
  hasPasswords: boolean
  /** The other way, where there is one. */
  signOn: ComponentChildren
  signIn(credentials: Credentials): Promise<void>
}

export function SignIn({ place, notice, elsewhere, demoPeople, hasPasswords, signOn, signIn }: SignInProps) {
  const heading = useTitle(t('signIn.title'))
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const attempt = async (credentials: Credentials) => {
    setBusy(true)
    setProblem('')
    try {
      await signIn(credentials)
    } catch (failure) {
      setProblem(sentenceOf(failure))
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    void attempt({ email: String(form.get('email')), password: String(form.get('password')) })
  }
  return (
    <main class="sign-in">
      <Logo />
      <h1 ref={heading} tabIndex={-1}>
        {t('signIn.to', { place })}
      </h1>
      <p class="notice" role="status">
        {notice}
      </p>
      {signOn}
      <form onSubmit={submit} hidden={!hasPasswords}>
        <label>
          {t('signIn.email')}
          <input name="email" type="email" autocomplete="username" required />
        </label>
        <label>
          {t('signIn.password')}
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        <p class="problem" role="alert">
          {problem}
        </p>
        <button type="submit" class="primary" disabled={isBusy}>
          {t('signIn.title')}
        </button>
      </form>
      {demoPeople.length > 0 && (
        <DemoPeople people={demoPeople} isBusy={isBusy} onChoose={(personId) => void attempt({ personId })} />
      )}
      <nav class="elsewhere" aria-label={t('signIn.otherPages')}>
        <a href={elsewhere.href}>{elsewhere.name}</a>
        <a href="/">{t('signIn.allPages')}</a>
        <LanguageChoice />
      </nav>
    </main>
  )
}
