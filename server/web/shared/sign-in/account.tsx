/** Who is signed in, for every page: asks the server, and shows the sign-in where nobody is. */
import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Account } from '../../../http/callers/account.ts'
import { announce, silence } from '../announce.tsx'
import { call, rememberToken, SESSION, sentenceOf, whenFound, whenSignedOut } from '../api.ts'
import { SignIn } from './sign-in.tsx'

export type Visitor = NonNullable<Account['visitor']>

/** As long as the server lets a session idle; after it the page hides what it shows. */
const IDLE_MS = 30 * 60 * 1000
/** After that it asks this often: another window may have kept the session in use. Asking is not use. */
const ASK_AGAIN_MS = 60 * 1000

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
    if (!next.visitor) silence()
    setAccount(next)
  }, [])
  /** Who cannot be known to be signed in sees nothing. */
  const hide = useCallback((failure: unknown) => {
    silence()
    setNotice(sentenceOf(failure))
    setAccount(null)
  }, [])
  const ask = useCallback(async () => {
    try {
      take(await call<Account>('GET', SESSION))
    } catch (failure) {
      hide(failure)
    }
  }, [take, hide])
  const signOut = useCallback(async () => {
    try {
      await call('DELETE', SESSION)
    } catch (failure) {
      return hide(failure)
    }
    location.hash = ''
    setNotice('You are signed out.')
    await ask()
  }, [ask, hide])

  useEffect(() => {
    whenSignedOut((text) => {
      setNotice(text)
      void ask()
    })
    whenFound(() => announce('The service answers again.'))
    void ask()
  }, [ask])
  const isSignedIn = account !== null && account.visitor !== null
  useEffect(() => {
    if (!isSignedIn) return
    return whenIdle(IDLE_MS, () => {
      setNotice('You were signed out because nothing happened for a while.')
      void ask()
    })
  }, [isSignedIn, ask])

  if (!account) return <Waiting notice={notice} onAgain={() => void ask()} />
  const { visitor, isTest, demoPeople } = account
  if (visitor && roles.includes(visitor.role)) return <>{children(visitor, isTest, () => void signOut())}</>
  const signIn = async (credentials: unknown) => {
    take(await call<Account>('POST', SESSION, credentials))
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

function Waiting({ notice, onAgain }: { notice: string; onAgain(): void }) {
  if (!notice) return <p class="loading">Loading…</p>
  return (
    <main class="loading">
      <p role="alert">{notice}</p>
      <button type="button" onClick={onAgain}>
        Try again
      </button>
    </main>
  )
}

/** Calls when nobody touched the page for so long, and again and again until somebody does. */
function whenIdle(ms: number, then: () => void): () => void {
  const call = () => {
    timer = setTimeout(call, ASK_AGAIN_MS)
    then()
  }
  let timer = setTimeout(call, ms)
  const touch = () => {
    clearTimeout(timer)
    timer = setTimeout(call, ms)
  }
  const events = ['pointerdown', 'keydown', 'scroll'] as const
  for (const event of events) addEventListener(event, touch, { passive: true, capture: true })
  return () => {
    clearTimeout(timer)
    for (const event of events) removeEventListener(event, touch, { capture: true })
  }
}
