/** The inbox. Its route says what it shows: the documents that wait, one of them, the tray, or what was signed and rejected. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { leaveErrors } from '../shared/announce.tsx'
import { PageHead } from '../shared/page-head.tsx'
import { useRoute } from '../shared/route.ts'
import { SandboxBanner } from '../shared/sandbox-banner.tsx'
import type { Visitor } from '../shared/sign-in/account.ts'
import { t } from '../words/words.ts'
import { DelegationPage } from './delegation/delegation-page.tsx'
import { SignPage } from './desk/sign-page.tsx'
import { useAdoptedSignature } from './dialogs/adopted-signature.ts'
import { closeDrafts, dropDraft } from './drafts/drafts.ts'
import { useEndedDrafts } from './drafts/ended-drafts.ts'
import { useSignOut } from './drafts/sign-out.tsx'
import { useGoingOn } from './going-on.ts'
import { InboxNav } from './inbox-nav.tsx'
import { History } from './list/history.tsx'
import { PastPage } from './list/past-page.tsx'
import { FIRST_VIEW, type ListView } from './list/shown-list.ts'
import { WaitingList } from './list/waiting-list.tsx'
import { NoticesPage } from './notices/notices-page.tsx'
import { useLostDocuments } from './outcome/lost-documents.ts'
import { outcomeSentence } from './outcome/outcome.ts'
import { unsigned, useTray } from './tray/tray.ts'
import { TrayPage } from './tray/tray-page.tsx'
import { useWaiting } from './waiting.ts'

interface InboxProps {
  visitor: Visitor
  isTest: boolean
  signOut(): void
}

export function Inbox({ visitor, isTest, signOut }: InboxProps) {
  const route = useRoute()
  useEffect(leaveErrors, [route])
  const { waiting, refresh, setWaiting } = useWaiting(route)
  const [view, setView] = useState<ListView>(FIRST_VIEW)
  const scroll = useRef(0)
  const adoption = useAdoptedSignature()
  const removed = (taskId: number) => setWaiting((all) => all?.filter((document) => document.taskId !== taskId) ?? null)
  const tray = useTray((taskId) => {
    dropDraft(taskId)
    adoption.kept()
    removed(taskId)
  })
  useEffect(() => closeDrafts, [])
  useEndedDrafts(waiting)
  useLostDocuments(
    unsigned(tray.items).map(({ document }) => document.taskId),
    waiting,
    (taskId, outcome) => {
      if (!outcome) tray.take(taskId)
      // After a lost answer, signing again reports what the signer has signed.
      else if (!(outcome.state === 'signed' && outcome.byYou)) tray.end(taskId, outcomeSentence(outcome))
    },
  )
  const [leave, leaving] = useSignOut(signOut)
  const [, id] = /^documents\/(\d+)$/.exec(route) ?? []
  const taskId = id === undefined ? null : Number(id)
  const [, pastId] = /^signed\/(\d+)$/.exec(route) ?? []
  const goOn = useGoingOn(waiting, view, taskId, tray.holds)
  return (
    <>
      <PageHead visitor={visitor} signOut={() => void leave()}>
        <InboxNav route={route} waiting={waiting?.length ?? null} inTray={tray.items.length} />
      </PageHead>
      {isTest && <SandboxBanner text={t('inbox.isTest')} other={{ href: '/console', name: t('inbox.console') }} />}
      {taskId !== null ? (
        <SignPage
          key={taskId}
          taskId={taskId}
          waiting={waiting}
          adoption={adoption}
          tray={tray}
          onDone={async () => {
            tray.take(taskId)
            removed(taskId)
            goOn()
          }}
          onFailed={refresh}
          onSkip={() => {
            setView({ ...view, skipped: [...view.skipped.filter((other) => other !== taskId), taskId] })
            goOn()
          }}
          onPut={() => goOn('tray')}
        />
      ) : pastId ? (
        <PastPage key={pastId} taskId={Number(pastId)} />
      ) : route === 'signed' ? (
        <History />
      ) : route === 'tray' ? (
        <TrayPage tray={tray} />
      ) : route === 'delegation' ? (
        <DelegationPage />
      ) : route === 'notices' ? (
        <NoticesPage />
      ) : (
        <WaitingList
          documents={waiting}
          view={view}
          onView={(change) => setView({ ...view, ...change })}
          scroll={scroll}
          isInTray={tray.holds}
        />
      )}
      {leaving}
    </>
  )
}
