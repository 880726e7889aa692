/** Facts about the user of a page: asked of the server, and hidden when they cannot be known. */
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Account } from '../../../http/callers/account.ts'
import { t } from '../../words/words.ts'
import { clearAnnouncement } from '../announce.tsx'
import { call, rememberToken, SESSION, sentenceOf, whenForbidden, whenSignedOut } from '../api.ts'
import { whenIdle } from './idle.ts'

/** How long the server lets a session idle. Asking the server then is not use, and tells whether the session has ended. */
const IDLE_MS = 30 * 60 * 1000

export type Visitor = NonNullable<Account['visitor']>

export type Credentials = { email: string; password: string } | { personId: number }

export interface AccountState {
  /** Null until the server has answered, and while it does not. */
  account: Account | null
  /** Why no one is signed in, or why the account is not known; empty when there is nothing to say. */
  notice: string
  refresh(): Promise<void>
  /** Throws an `ApiError` when the credentials are refused. */
  signIn(credentials: Credentials): Promise<void>
  /** Takes what the server said when a sign-in was completed. */
  enter(account: Account): void
  signOut(): Promise<void>
  /** The provider that a visitor who has just signed out is still signed in to; null when there is none. */
  left: Left | null
}

export interface Left {
  name: string
  endUrl: string
}

export function useAccount(): AccountState {
  const [account, setAccount] = useState<Account | null>(null)
  const [notice, setNotice] = useState('')
  const [left, setLeft] = useState<Left | null>(null)
  const take = useCallback((next: Account) => {
    rememberToken(next.token)
    if (!next.visitor) clearAnnouncement()
    setAccount(next)
  }, [])
  /** A visitor whose session is in doubt sees nothing. */
  const hide = useCallback((failure: unknown) => {
    clearAnnouncement()
    setNotice(sentenceOf(failure))
    setAccount(null)
  }, [])
  const refresh = useCallback(() => call<Account>('GET', SESSION).then(take, hide), [take, hide])
  const enter = (next: Account) => {
    take(next)
    setNotice('')
  }
  const signIn = async (credentials: Credentials) => {
    enter(await call<Account>('POST', SESSION, credentials))
  }
  const signOut = async () => {
    try {
      const ended = call('DELETE', SESSION)
      // Calls that are still under way may be refused from now on, which is nothing to tell.
      rememberToken(null)
      await ended
    } catch (failure) {
      return hide(failure)
    }
    location.hash = ''
    setNotice(t('signIn.signedOut'))
    setLeft(leftBehind(account))
    await refresh()
  }
  useEffect(() => {
    whenSignedOut((text) => {
      setNotice(text)
      void refresh()
    })
    whenForbidden(() => void refresh())
    void refresh()
  }, [refresh])
  const isSignedIn = account !== null && account.visitor !== null
  useEffect(() => {
    if (!isSignedIn) return
    return whenIdle(IDLE_MS, () => {
      setNotice(t('signIn.inactive'))
      void refresh()
    })
  }, [isSignedIn, refresh])
  return { account, notice, refresh, signIn, enter, signOut, left }
}

function leftBehind(account: Account | null): Left | null {
  const { name = '', endUrl = null } = account?.signOn ?? {}
  return endUrl === null ? null : { name, endUrl }
}
