/** A signature that is drawn, and whether it is kept for the next time. */
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../../words/words.ts'
import { createPad, type Pad } from './pad.ts'

interface DrawnSignatureProps {
  /** Set while there is a pad to draw on. */
  pad: RefObject<Pad | null>
  isEmpty: boolean
  onEmpty(isEmpty: boolean): void
  keep: boolean
  onKeep(keep: boolean): void
}

export function DrawnSignature({ pad, isEmpty, onEmpty, keep, onKeep }: DrawnSignatureProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  // Before the canvas is painted, so that no stroke can begin on it that the pad does not hear.
  useLayoutEffect(() => {
    const made = createPad(canvas.current!, onEmpty)
    pad.current = made
    onEmpty(true)
    return () => {
      made.close()
      pad.current = null
    }
  }, [])
  return (
    <>
      <div class="paper pad">
        <canvas ref={canvas} role="img" aria-label={t('ink.draw')} />
        <span class="line" aria-hidden="true" />
      </div>
      <div class="pad-options">
        <label class="check">
          <input type="checkbox" checked={keep} onChange={(event) => onKeep(event.currentTarget.checked)} />
          {t('ink.saveNext')}
        </label>
        <button type="button" class="quiet" disabled={isEmpty} onClick={() => pad.current?.clear()}>
          {t('ink.clear')}
        </button>
      </div>
    </>
  )
}
