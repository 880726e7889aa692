/** The inbox. Its route says what it shows: the documents that wait, one of them, or what was signed and rejected. */
import { useEffect } from 'preact/hooks'
import { PageHead } from '../shared/page-head.tsx'
import { go, useRoute } from '../shared/route.ts'
import type { Visitor } from '../shared/sign-in/account.ts'
import { forgetDrafts } from './desk/draft.ts'
import { SignPage } from './desk/sign-page.tsx'
import { History } from './list/history.tsx'
import { WaitingList } from './list/waiting-list.tsx'
import { useWaiting } from './waiting.ts'

interface InboxProps {
  visitor: Visitor
  isTest: boolean
  signOut(): void
}

export function Inbox({ visitor, isTest, signOut }: InboxProps) {
  const route = useRoute()
  const { waiting, refresh, setWaiting } = useWaiting(route)
  useEffect(() => forgetDrafts, [])
  const [, taskId] = /^documents\/(\d+)$/.exec(route) ?? []
  const goOn = async (done: number) => {
    const left = (waiting ?? []).filter((document) => document.taskId !== done)
    setWaiting(left)
    go(left[0] ? `documents/${left[0].taskId}` : '')
  }
  return (
    <>
      <PageHead visitor={visitor} signOut={signOut}>
        <nav aria-label="Inbox">
          <a href="#/" aria-current={route === '' ? 'page' : undefined}>
            Inbox {waiting && <span class="count">{waiting.length}</span>}
          </a>
          <a href="#/signed" aria-current={route === 'signed' ? 'page' : undefined}>
            Signed
          </a>
          <a href="/verify">Verify</a>
        </nav>
      </PageHead>
      {isTest && <p class="sandbox-banner">Sandbox: a signature given here is a test and not legally binding.</p>}
      {taskId ? (
        <SignPage key={taskId} taskId={Number(taskId)} waiting={waiting} onDone={goOn} onFailed={refresh} />
      ) : route === 'signed' ? (
        <History />
      ) : (
        <WaitingList documents={waiting} />
      )}
    </>
  )
}
