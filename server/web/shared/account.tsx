/** Who is signed in, for every page: asks the server, and shows the sign-in where nobody is. */
import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Account } from '../../http/account.ts'
import { call, rememberToken, sentenceOf, whenSignedOut } from './api.ts'
import { SignIn } from './sign-in.tsx'

export type Visitor = NonNullable<Account['visitor']>

const SESSION = '/account/api/session'
/** As long as the server lets a session idle; after it the page hides what it shows. */
const IDLE_MS = 30 * 60 * 1000

interface WithAccountProps {
  /** Roles this page is for. */
  roles: readonly Visitor['role'][]
  place: string
  children(visitor: Visitor, isTest: boolean, signOut: () => void): ComponentChildren
}

export function WithAccount({ roles, place, children }: WithAccountProps) {
  const [account, setAccount] = useState<Account | null>(null)
  const [notice, setNotice] = useState('')

  const take = useCallback((next: Account) => {
    rememberToken(next.token)
    setAccount(next)
  }, [])
  const ask = useCallback(async () => {
    try {
      take(await call<Account>('GET', SESSION))
    } catch (failure) {
      setNotice(sentenceOf(failure))
    }
  }, [take])
  const signOut = useCallback(async () => {
    await call('DELETE', SESSION).catch(() => {})
    location.hash = ''
    setNotice('You are signed out.')
    await ask()
  }, [ask])

  useEffect(() => {
    whenSignedOut(() => {
      setNotice('You were signed out because nothing happened for a while.')
      void ask()
    })
    void ask()
  }, [ask])
  useEffect(() => (account?.visitor ? whenIdle(IDLE_MS, () => void ask()) : undefined), [account, ask])

  if (!account) return <p class="loading">{notice || 'Loading…'}</p>
  const { visitor, isTest, demoPeople } = account
  if (visitor && roles.includes(visitor.role)) return <>{children(visitor, isTest, () => void signOut())}</>
  const signIn = async (wish: unknown) => {
    take(await call<Account>('POST', SESSION, wish))
    setNotice('')
  }
  return (
    <SignIn
      place={place}
      notice={visitor ? `${visitor.name} has no access here. Sign in as somebody else.` : notice}
      demoPeople={demoPeople.filter(({ role }) => roles.includes(role))}
      signIn={signIn}
    />
  )
}

/** Calls once when nobody touched the page for so long. */
function whenIdle(ms: number, then: () => void): () => void {
  let timer = setTimeout(then, ms)
  const touch = () => {
    clearTimeout(timer)
    timer = setTimeout(then, ms)
  }
  const events = ['pointerdown', 'keydown', 'scroll'] as const
  for (const event of events) addEventListener(event, touch, { passive: true, capture: true })
  return () => {
    clearTimeout(timer)
    for (const event of events) removeEventListener(event, touch, { capture: true })
  }
}
