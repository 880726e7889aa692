/** Loads a document, makes sure that the pages to be shown are of the PDF on record, and hands it to the desk where it is signed. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Opened, Waiting } from '../../../operations/signer/messages.ts'
import { ApiError, call, sentenceOf } from '../../shared/api.ts'
import { isLost, useConnectionRound } from '../../shared/connection.tsx'
import { Icon } from '../../shared/icon.tsx'
import { unturned } from '../../shared/text/given-text.tsx'
import { useTitle } from '../../shared/title.ts'
import { t } from '../../words/words.ts'
import { findDraft } from '../drafts/drafts.ts'
import { useLostDocuments } from '../outcome/lost-documents.ts'
import { outcomeOf, outcomeSentence } from '../outcome/outcome.ts'
import { openServed, type ServedReader } from '../pictures/served-reader.ts'
import { Desk, type DeskContext } from './desk.tsx'
import type { Draft } from './draft.ts'

/** The PDF was changed in the store. */
const NOT_ON_RECORD = t('desk.notOnRecord')

interface SignPageProps extends DeskContext {
  taskId: number
  /** The documents that wait, as last loaded; null until they are known. */
  waiting: readonly Waiting[] | null
}

export function SignPage({ taskId, waiting, ...context }: SignPageProps) {
  const [loaded, setLoaded] = useState<{ opened: Opened; reader: ServedReader; kept: Draft | null } | null>(null)
  const [problem, setProblem] = useState('')
  const round = useConnectionRound(loaded === null)
  const [attempt, setAttempt] = useState(0)
  // The list may be older than the document, so a document is gone only when it was in the list before.
  const wasListed = useRef(false)
  const isListed = waiting?.some((document) => document.taskId === taskId) ?? false
  wasListed.current ||= isListed
  useEffect(() => {
    let isCurrent = true
    let reader: ServedReader | undefined
    setProblem('')
    const load = async () => {
      const path = `/inbox/api/documents/${taskId}`
      const [opened, served] = await Promise.all([call<Opened>('GET', path), openServed(path)])
      reader = served
      if (served.sha256 !== opened.sha256) throw new ApiError(0, [NOT_ON_RECORD])
      const kept = await findDraft(opened)
      if (!isCurrent) return served.close()
      document.title = `${opened.documentType} · Countersign`
      setLoaded({ opened, reader: served, kept })
    }
    load().catch(async (failure: unknown) => {
      if (isLost(failure)) return
      const sentence = (await endOf(taskId, failure)) ?? sentenceOf(failure)
      if (isCurrent) setProblem(sentence)
    })
    return () => {
      isCurrent = false
      reader?.close()
    }
  }, [taskId, round, attempt])

  useLostDocuments(loaded ? [taskId] : [], waiting, (_, outcome) => {
    // An ended document remains on the page, with a sentence about its end.
    if (outcome) return
    setLoaded(null)
    setProblem(lostSentence(loaded?.opened.onBehalfOf ?? null))
  })

  const isGone = wasListed.current && !isListed
  if (loaded) return <Desk {...loaded} isGone={isGone} {...context} />
  if (problem) return <NotOpened problem={problem} onRetry={() => setAttempt((before) => before + 1)} />
  return (
    <main class="list-page">
      <p class="loading" role="status">
        {t('past.opening')}
      </p>
    </main>
  )
}

const lostSentence = (signer: string | null) =>
  signer === null ? t('outcome.lost') : t('outcome.lostFor', { name: unturned(signer) })

/** Returns the end of a document that waited for this signer and no longer does; null for any other error. */
async function endOf(taskId: number, failure: unknown): Promise<string | null> {
  if (!(failure instanceof ApiError) || failure.status !== 404) return null
  const outcome = await outcomeOf(taskId).catch(() => null)
  return outcome && t('outcome.gone', { sentence: outcomeSentence(outcome) })
}

function NotOpened({ problem, onRetry }: { problem: string; onRetry(): void }) {
  const heading = useTitle(t('desk.notOpened'))
  return (
    <main class="list-page">
      <h1 ref={heading} tabIndex={-1}>
        {t('desk.notOpen')}
      </h1>
      <p class="problem" role="alert">
        {problem}
      </p>
      <p class="acts">
        <button type="button" onClick={onRetry}>
          {t('verb.tryAgain')}
        </button>{' '}
        <a class="button" href="#/">
          <Icon name="back" /> {t('inbox.back')}
        </a>
      </p>
    </main>
  )
}
