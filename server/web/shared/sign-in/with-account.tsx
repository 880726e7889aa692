/** Shows a page to those it is for, and the sign-in form to everybody else. */
import type { ComponentChildren } from 'preact'
import type { Place } from '../../../http/callers/visit.ts'
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
      notice={visitor ? `You are signed in as ${visitor.name}, for whom this page is not.` : notice}
      elsewhere={elsewhere[place]}
      demoPeople={demoPeople.filter(({ role }) => roles.includes(role))}
      signIn={signIn}
      hasPasswords={hasPasswords}
      signOn={<SignOn provider={signOn} isOnly={!hasPasswords} left={left} />}
    />
  )
}

/** The name of the page that one signs in to, as it ends a sentence. */
const names = { inbox: 'your inbox', console: 'the console' } as const satisfies Record<Place, string>
const elsewhere = {
  inbox: { href: '/console', name: 'Open the console' },
  console: { href: '/inbox', name: 'Open the inbox' },
} as const satisfies Record<Place, object>

function Waiting({ notice, onRetry }: { notice: string; onRetry(): void }) {
  if (!notice) return <p class="loading">Loading…</p>
  return (
    <main class="loading">
      <p role="alert">{notice}</p>
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </main>
  )
}
