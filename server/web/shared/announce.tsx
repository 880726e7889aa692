/** One place where a page says what happened, for eyes and for screen readers. */
import { useEffect, useState } from 'preact/hooks'

export type Tone = 'done' | 'wrong'

interface Said {
  text: string
  tone: Tone
}

let say: (said: Said | null) => void = () => {}

/** An empty text says nothing. */
export const announce = (text: string, tone: Tone = 'done') => {
  if (text !== '') say({ text, tone })
}

/** Clears what is shown: it may name a patient, and is not for the next visitor. */
export const silence = () => say(null)

const SHOWN_MS = 8_000

export function Announcements() {
  const [said, setSaid] = useState<Said | null>(null)
  useEffect(() => {
    say = setSaid
  }, [])
  useEffect(() => {
    if (said?.tone !== 'done') return
    const timer = setTimeout(() => setSaid(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [said])
  return (
    <div class="announcements" role="status" aria-live="polite">
      {said && (
        <p class={`announcement ${said.tone}`}>
          <span>{said.text}</span>
          <button type="button" class="quiet" onClick={() => setSaid(null)}>
            Close
          </button>
        </p>
      )}
    </div>
  )
}
