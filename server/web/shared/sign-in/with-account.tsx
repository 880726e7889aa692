/** Shows a page to those it is for, and the sign-in form to everybody else. */
import type { ComponentChildren } from 'preact'
import { SecondStep } from '../second-factor/second-step.tsx'
import { useAccount, type Visitor } from './account.ts'
import { SignIn } from './sign-in.tsx'
import { SignOn } from './sign-on.tsx'

interface WithAccountProps {
  /** The roles that the page is for. */
  roles: readonly Visitor['role'][]
  /** What one signs in to, as it ends a sentence: `your inbox`. */
  place: string
  children(visitor: Visitor, isTest: boolean, signOut: () => void): ComponentChildren
}

export function WithAccount({ roles, place, children }: WithAccountProps) {
  const { account, notice, refresh, signIn, enter, signOut, left } = useAccount()
  if (!account) return <Waiting notice={notice} onRetry={() => void refresh()} />
  const { visitor, isTest, missing, demoPeople, hasPasswords, signOn } = account
  if (missing) return <SecondStep missing={missing} place={place} onDone={enter} onRestart={() => void refresh()} />
  if (visitor && roles.includes(visitor.role)) return <>{children(visitor, isTest, () => void signOut())}</>
  return (
    <SignIn
      place={place}
      notice={visitor ? `${visitor.name} has no access here. Sign in as somebody else.` : notice}
      demoPeople={demoPeople.filter(({ role }) => roles.includes(role))}
      signIn={signIn}
      hasPasswords={hasPasswords}
      signOn={<SignOn provider={signOn} isOnly={!hasPasswords} left={left} />}
    />
  )
}

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
