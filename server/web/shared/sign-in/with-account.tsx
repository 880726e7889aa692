/** Shows a page to those it is for, and the sign-in form to everybody else. */
import type { ComponentChildren } from 'preact'
import type { Place } from '../../../http/callers/visit.ts'
import { t } from '../../words/words.ts'
import { rememberPlace } from '../api.ts'
import { SecondStep } from '../second-factor/second-step.tsx'
import { useAccount, type Visitor } from './account.ts'
import { SignIn } from './sign-in.tsx'
import { SignOn } from './sign-on.tsx'

interface WithAccountProps {
  /** The roles that the page is for. */
  roles: readonly Visitor['role'][]
  place: Place
  /** The place as it ends a sentence, for a page that shares the session of another one. */
  name?: string
  children(visitor: Visitor, isTest: boolean, signOut: () => void): ComponentChildren
}

export function WithAccount({ roles, place, name = names[place], children }: WithAccountProps) {
  rememberPlace(place)
  const { account, notice, refresh, signIn, enter, signOut, left } = useAccount()
  if (!account) return <Waiting notice={notice} onRetry={() => void refresh()} />
  const { visitor, isTest, missing, demoPeople, hasPasswords, signOn } = account
  if (missing) return <SecondStep missing={missing} place={name} onDone={enter} onRestart={() => void refresh()} />
  if (visitor && roles.includes(visitor.role)) return <>{children(visitor, isTest, () => void signOut())}</>
  return (
    <SignIn
      place={name}
      notice={visitor ? t('signIn.notFor', { name: visitor.name }) : notice}
      elsewhere={elsewhere[place]}
      demoPeople={demoPeople.filter(({ role }) => roles.includes(role))}
      signIn={signIn}
      hasPasswords={hasPasswords}
      signOn={<SignOn provider={signOn} isOnly={!hasPasswords} left={left} />}
    />
  )
}

/** The name of the page that one signs in to, as it ends a sentence. */
const names = { inbox: t('signIn.yourInbox'), console: t('signIn.theConsole') } as const satisfies Record<Place, string>
const elsewhere = {
  inbox: { href: '/console', name: t('signIn.openConsole') },
  console: { href: '/inbox', name: t('signIn.openInbox') },
} as const satisfies Record<Place, object>

function Waiting({ notice, onRetry }: { notice: string; onRetry(): void }) {
  if (!notice) return <p class="loading">{t('service.loading')}</p>
  return (
    <main class="loading">
      <p role="alert">{notice}</p>
      <button type="button" onClick={onRetry}>
        {t('verb.tryAgain')}
      </button>
    </main>
  )
}
