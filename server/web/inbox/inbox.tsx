/** The inbox: what waits, one document, or what was signed, depending on the route. */
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Waiting } from '../../operations/signer/messages.ts'
import { announce } from '../shared/announce.tsx'
import { call, sentenceOf } from '../shared/api.ts'
import { Logo } from '../shared/logo.tsx'
import { go, useRoute } from '../shared/route.ts'
import type { Visitor } from '../shared/sign-in/account.tsx'
import { forgetDrafts } from './desk/draft.ts'
import { SignPage } from './desk/sign-page.tsx'
import { History } from './list/history.tsx'
import { WaitingList } from './list/waiting-list.tsx'

interface InboxProps {
  visitor: Visitor
  isTest: boolean
  signOut(): void
}

/** New documents show up by themselves this often, while somebody looks at the page. */
const REFRESH_MS = 15_000

export function Inbox({ visitor, isTest, signOut }: InboxProps) {
  const route = useRoute()
  const [waiting, setWaiting] = useState<Waiting[] | null>(null)
  const refresh = useCallback(async () => {
    try {
      setWaiting(await call<Waiting[]>('GET', '/inbox/api/documents'))
    } catch (failure) {
      announce(sentenceOf(failure), 'wrong')
    }
  }, [])
  useEffect(() => refreshing(refresh), [refresh])
  // At each step, so that somebody who comes back to the list sees it as it is now.
  useEffect(() => {
    void refresh()
  }, [route, refresh])
  useEffect(() => forgetDrafts, [])

  const [, id] = /^documents\/(\d+)$/.exec(route) ?? []
  const goOn = async (taskId: number) => {
    const left = (waiting ?? []).filter((document) => document.taskId !== taskId)
    setWaiting(left)
    go(left[0] ? `documents/${left[0].taskId}` : '')
  }
  return (
    <>
      <header class="top">
        <Logo />
        <nav aria-label="Inbox">
          <a href="#/" aria-current={route === '' ? 'page' : undefined}>
            Inbox {waiting && <span class="count">{waiting.length}</span>}
          </a>
          <a href="#/signed" aria-current={route === 'signed' ? 'page' : undefined}>
            Signed
          </a>
          <a href="/verify">Verify</a>
        </nav>
        <div class="visitor">
          <span class="visitor-name">{visitor.name}</span>
          <button type="button" class="quiet" onClick={signOut}>
            Sign out
          </button>
        </div>
      </header>
      {isTest && <p class="sandbox-note">Sandbox: a signature given here is a test and not legally binding.</p>}
      {id ? (
        <SignPage key={id} taskId={Number(id)} waiting={waiting} onDone={goOn} onFailed={refresh} />
      ) : route === 'signed' ? (
        <History />
      ) : (
        <WaitingList documents={waiting} />
      )}
    </>
  )
}

/** Only while the page is seen and somebody is at it: asking counts as use, and would keep a forgotten session open. */
function refreshing(refresh: () => Promise<void>): () => void {
  let usedAt = Date.now()
  const use = () => {
    usedAt = Date.now()
  }
  const look = () => {
    if (document.visibilityState === 'visible' && Date.now() - usedAt < 20 * REFRESH_MS) void refresh()
  }
  const back = () => {
    if (document.visibilityState === 'visible') void refresh()
  }
  const timer = setInterval(look, REFRESH_MS)
  addEventListener('pointermove', use, { passive: true })
  addEventListener('keydown', use)
  document.addEventListener('visibilitychange', back)
  return () => {
    clearInterval(timer)
    removeEventListener('pointermove', use)
    removeEventListener('keydown', use)
    document.removeEventListener('visibilitychange', back)
  }
}
