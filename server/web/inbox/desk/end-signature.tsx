/** Where a document is signed whose pages have no field for the signature: below them, as it is sealed on the page added at the end. */
import { Icon } from '../../shared/icon.tsx'
import { t } from '../../words/words.ts'
import type { Signature } from './draft.ts'
import type { Step } from './guide/steps.ts'
import { fieldId } from './show-field.ts'

interface EndSignatureProps {
  step: Step
  signature: Signature | null
  signingName: string
  isNext: boolean
  onSign(): void
}

export const EndSignature = ({ step, signature, signingName, isNext, onSign }: EndSignatureProps) => (
  <section class={`end-signature ${isNext ? 'next' : ''}`} aria-label={t('desk.atEnd')}>
    <p>{t('desk.noPlace')}</p>
    <button
      id={fieldId(step.index)}
      type="button"
      aria-label={t('desk.endLabel', { label: step.label, content: signature ? signingName : t('desk.signHere') })}
      onClick={onSign}
    >
      {signature?.kind === 'drawn' && <img src={`data:image/png;base64,${signature.png}`} alt={t('ink.title')} />}
      {signature?.kind === 'typed' && <span class="hand">{signingName}</span>}
      {!signature && (
        <span class="call">
          <Icon name="pen" /> {t('desk.signHere')}
        </span>
      )}
    </button>
  </section>
)
