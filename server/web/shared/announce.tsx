/** The one place where a page says what happened, to the eye and to screen readers. */
import { type Dispatch, type StateUpdater, useEffect, useState } from 'preact/hooks'
import { t } from '../words/words.ts'

export type Tone = 'done' | 'wrong'

interface Announcement {
  text: string
  tone: Tone
  /** The place inside the page that was open, as its address has it. */
  place: string
}

let show: Dispatch<StateUpdater<Announcement | null>> = () => {}

/** Shows the text in place of the one before. An empty text changes nothing. */
export const announce = (text: string, tone: Tone = 'done') => {
  if (text !== '') show({ text, tone, place: location.hash })
}

/** Removes what is shown: it may name a patient, and is not for the next visitor. */
export const clearAnnouncement = () => show(null)

/** Removes an error of a place that was left: it is about what is no longer in sight. */
export const leaveErrors = () =>
  show((shown) => (shown?.tone === 'wrong' && shown.place !== location.hash ? null : shown))

const SHOWN_MS = 8_000

export function Announcements() {
  const [shown, setShown] = useState<Announcement | null>(null)
  useEffect(() => {
    show = setShown
  }, [])
  useEffect(() => {
    if (shown?.tone !== 'done') return
    const timer = setTimeout(() => setShown(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shown])
  return (
    <div class="announcements" role="status" aria-live="polite">
      {shown && (
        <p class={`announcement ${shown.tone}`}>
          <span>{shown.text}</span>
          <button type="button" class="quiet" onClick={() => setShown(null)}>
            {t('verb.close')}
          </button>
        </p>
      )}
    </div>
  )
}
