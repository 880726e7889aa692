/** The signer gives the signature: the kept one, a drawn one, or the typed name. */
import { useRef, useState } from 'preact/hooks'
import { Dialog } from '../../shared/dialogs/dialog.tsx'
import { t } from '../../words/words.ts'
import type { Signature } from '../desk/draft.ts'
import { DrawnSignature } from './drawn-signature.tsx'
import { useKeptSignature } from './kept-signature.ts'
import type { Pad } from './pad.ts'

interface SignatureDialogProps {
  signingName: string
  onAdopt(signature: Signature): void
  /** After the kept signature was deleted. */
  onForgotten(): void
  onClose(): void
}

type Way = 'kept' | 'drawn' | 'typed'

export function SignatureDialog({ signingName, onAdopt, onForgotten, onClose }: SignatureDialogProps) {
  const [kept, forget] = useKeptSignature()
  /** Null until the signer has chosen: then the kept signature is offered when there is one. */
  const [chosen, setChosen] = useState<Way | null>(null)
  const [keep, setKeep] = useState(true)
  const [isEmpty, setEmpty] = useState(true)
  const pad = useRef<Pad | null>(null)
  const way = chosen ?? (kept ? 'kept' : 'drawn')
  const drawn = (empty: boolean) => {
    setEmpty(empty)
    // A kept signature that loads late must not take the pad away from under the pen.
    if (!empty) setChosen('drawn')
  }
  const adopt = (event: SubmitEvent) => {
    event.preventDefault()
    if (way === 'typed') onAdopt({ kind: 'typed' })
    else if (way === 'kept') onAdopt({ kind: 'drawn', png: kept!, keep: false })
    else if (pad.current && !isEmpty) onAdopt({ kind: 'drawn', png: pad.current.png(), keep })
  }
  return (
    <Dialog title={t('ink.title')} onClose={onClose}>
      <form onSubmit={adopt}>
        <Ways hasKept={kept !== null} way={way} onChoose={setChosen} />
        {way === 'typed' && (
          <div class="paper">
            <span class="hand">{signingName}</span>
          </div>
        )}
        {way === 'drawn' && <DrawnSignature pad={pad} isEmpty={isEmpty} onEmpty={drawn} keep={keep} onKeep={setKeep} />}
        {way === 'kept' && kept && (
          <KeptSignature
            png={kept}
            onForget={() => {
              setChosen(null)
              void forget().then(onForgotten)
            }}
          />
        )}
        <div class="actions">
          <button type="button" onClick={onClose}>
            {t('ink.cancel')}
          </button>
          <button type="submit" class="primary" disabled={way === 'drawn' && isEmpty}>
            {t('ink.use')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

const ways = [
  ['kept', t('ink.saved')],
  ['drawn', t('ink.drawn')],
  ['typed', t('ink.typed')],
] as const

const Ways = ({ hasKept, way, onChoose }: { hasKept: boolean; way: Way; onChoose(way: Way): void }) => (
  <fieldset class="ways">
    <legend class="visually-hidden">{t('ink.how')}</legend>
    {ways
      .filter(([value]) => hasKept || value !== 'kept')
      .map(([value, label]) => (
        <label key={value}>
          <input type="radio" name="way" checked={way === value} onChange={() => onChoose(value)} />
          <span>{label}</span>
        </label>
      ))}
  </fieldset>
)

const KeptSignature = ({ png, onForget }: { png: string; onForget(): void }) => (
  <>
    <div class="paper">
      <img src={`data:image/png;base64,${png}`} alt={t('ink.savedAlt')} />
    </div>
    <div class="pad-options">
      <span>{t('ink.encrypted')}</span>
      <button type="button" class="quiet" onClick={onForget}>
        {t('ink.delete')}
      </button>
    </div>
  </>
)
