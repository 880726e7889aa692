/** A signed document, shown as it was sealed. */
import { useEffect, useState } from 'preact/hooks'
import type { Reader } from '../../pdf/reader.ts'
import { Sheets, useFit } from '../../pdf/sheets.tsx'
import { sentenceOf } from '../../shared/api.ts'
import { isLost, useConnectionRound } from '../../shared/connection.tsx'
import { Icon } from '../../shared/icon.tsx'
import { useTitle } from '../../shared/title.ts'
import { t } from '../../words/words.ts'
import { openServed, type ServedReader } from '../pictures/served-reader.ts'
import { PrintButton } from '../print/print-button.tsx'
import { SignedPdfLink } from './past-document.tsx'

/** CSS pixels for each point at most, as at the desk. */
const MAX_SCALE = 1.45

const NO_TEXT = t('past.noText')

export function PastPage({ taskId }: { taskId: number }) {
  const [reader, setReader] = useState<ServedReader | null>(null)
  const [problem, setProblem] = useState('')
  const heading = useTitle(t('past.document'))
  const round = useConnectionRound(reader === null)
  useEffect(() => {
    let isCurrent = true
    let opened: ServedReader | undefined
    const load = async () => {
      opened = await openServed(`/inbox/api/past/${taskId}`)
      if (isCurrent) setReader(opened)
      else opened.close()
    }
    load().catch((failure: unknown) => isCurrent && !isLost(failure) && setProblem(sentenceOf(failure)))
    return () => {
      isCurrent = false
      opened?.close()
    }
  }, [taskId, round])
  return (
    <main class="list-page">
      <div class="past-head">
        <a class="button quiet" href="#/signed">
          <Icon name="back" /> {t('inbox.signed')}
        </a>
        <h1 ref={heading} tabIndex={-1}>
          {t('past.numbered', { number: taskId })}
        </h1>
        {reader && <PrintButton reader={reader} />}
        {reader && <SignedPdfLink taskId={taskId} name={t('past.pdf')} />}
      </div>
      <p class="problem" role="alert">
        {problem}
      </p>
      {!reader && !problem && (
        <p class="loading" role="status">
          {t('past.opening')}
        </p>
      )}
      {reader?.isDrawn && <p class="quiet">{NO_TEXT}</p>}
      {reader && <PastSheets reader={reader} />}
    </main>
  )
}

function PastSheets({ reader }: { reader: Reader }) {
  const { room, scale } = useFit(reader, MAX_SCALE)
  return (
    <Sheets reader={reader} room={room} scale={scale}>
      {() => null}
    </Sheets>
  )
}
