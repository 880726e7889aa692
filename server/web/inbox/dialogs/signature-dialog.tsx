/** The signer gives the signature: the kept one, a drawn one, or the typed name. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { announce } from '../../shared/announce.tsx'
import { call, sentenceOf } from '../../shared/api.ts'
import { Dialog } from '../../shared/dialog.tsx'
import type { Signature } from '../desk/draft.ts'
import { createPad, type Pad } from './pad.ts'

interface SignatureDialogProps {
  signingName: string
  onAdopt(signature: Signature): void
  onClose(): void
}

type Way = 'kept' | 'drawn' | 'typed'
const KEPT = '/inbox/api/signature'

export function SignatureDialog({ signingName, onAdopt, onClose }: SignatureDialogProps) {
  const [kept, setKept] = useState<string | null>(null)
  const [way, setWay] = useState<Way>('drawn')
  const [keep, setKeep] = useState(true)
  const [isEmpty, setEmpty] = useState(true)
  const pad = useRef<Pad | null>(null)

  useEffect(() => {
    call<{ drawn: string | null }>('GET', KEPT).then(
      ({ drawn }) => {
        setKept(drawn)
        if (drawn) setWay('kept')
      },
      (failure: unknown) => announce(sentenceOf(failure), 'wrong'),
    )
  }, [])
  const forget = async () => {
    try {
      await call('DELETE', KEPT)
      setKept(null)
      setWay('drawn')
    } catch (failure) {
      announce(sentenceOf(failure), 'wrong')
    }
  }
  const adopt = (event: SubmitEvent) => {
    event.preventDefault()
    if (way === 'typed') onAdopt({ kind: 'typed' })
    else if (way === 'kept') onAdopt({ kind: 'drawn', png: kept!, keep: false })
    else if (pad.current && !isEmpty) onAdopt({ kind: 'drawn', png: pad.current.png(), keep })
  }
  const ways = [...(kept ? [['kept', 'Saved'] as const] : []), ['drawn', 'Draw'] as const, ['typed', 'Type'] as const]

  return (
    <Dialog title="Your signature" onClose={onClose}>
      <form onSubmit={adopt}>
        <fieldset class="ways">
          <legend class="only-heard">How to sign</legend>
          {ways.map(([value, label]) => (
            <label key={value}>
              <input type="radio" name="way" checked={way === value} onChange={() => setWay(value)} />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
        {way === 'kept' && kept && (
          <div class="paper">
            <img src={`data:image/png;base64,${kept}`} alt="Your saved signature" />
          </div>
        )}
        {way === 'typed' && (
          <div class="paper">
            <span class="hand">{signingName}</span>
          </div>
        )}
        {way === 'drawn' && (
          <>
            <DrawingPad onPad={(made) => (pad.current = made)} onEmpty={setEmpty} />
            <div class="pad-options">
              <label class="check">
                <input type="checkbox" checked={keep} onChange={(event) => setKeep(event.currentTarget.checked)} />
                Save for next time
              </label>
              <button type="button" class="quiet" disabled={isEmpty} onClick={() => pad.current?.clear()}>
                Clear
              </button>
            </div>
          </>
        )}
        {way === 'kept' && (
          <div class="pad-options">
            <span>Stored encrypted, for you alone.</span>
            <button type="button" class="quiet" onClick={() => void forget()}>
              Delete it
            </button>
          </div>
        )}
        <div class="acts">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={way === 'drawn' && isEmpty}>
            Use this signature
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface DrawingPadProps {
  onPad(pad: Pad | null): void
  onEmpty(isEmpty: boolean): void
}

function DrawingPad({ onPad, onEmpty }: DrawingPadProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const pad = createPad(canvas.current!, onEmpty)
    onPad(pad)
    onEmpty(true)
    return () => {
      pad.close()
      onPad(null)
    }
  }, [])
  return (
    <div class="paper pad">
      <canvas ref={canvas} role="img" aria-label="Draw your signature here, or choose Type above" />
      <span class="line" aria-hidden="true" />
    </div>
  )
}
