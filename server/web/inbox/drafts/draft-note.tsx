/** Says alongside the document whether its draft is kept. */
import { useEffect, useState } from 'preact/hooks'
import { localTime } from '../../shared/format.ts'
import { t } from '../../words/words.ts'
import { type Keeping, keepingOf, whenKept } from './drafts.ts'

/** Returns the state of the draft of a task; undefined while there is none. */
export function useKeeping(taskId: number): Keeping | undefined {
  const [keeping, setKeeping] = useState(() => keepingOf(taskId))
  useEffect(() => {
    const look = () => setKeeping(keepingOf(taskId))
    look()
    return whenKept(look)
  }, [taskId])
  return keeping
}

export function DraftNote({ keeping }: { keeping: Keeping | undefined }) {
  if (keeping === 'failed') return <span class="draft-note lost">{t('draft.notKept')}</span>
  if (typeof keeping !== 'number') return null
  return <span class="draft-note">{t('draft.kept', { time: localTime(new Date(keeping).toISOString()) })}</span>
}
