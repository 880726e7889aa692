/** Where a document is signed whose pages have no field for the signature: below them, as it is sealed on the page added at the end. */
import { Icon } from '../../shared/icon.tsx'
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
  <section class={`end-signature ${isNext ? 'next' : ''}`} aria-label="Signature at the end">
    <p>The document has no place for a signature. Yours goes onto the page that is added at its end.</p>
    <button
      id={fieldId(step.index)}
      type="button"
      aria-label={`${step.label}, required, at the end: ${signature ? signingName : 'Sign here'}`}
      onClick={onSign}
    >
      {signature?.kind === 'drawn' && <img src={`data:image/png;base64,${signature.png}`} alt="Your signature" />}
      {signature?.kind === 'typed' && <span class="hand">{signingName}</span>}
      {!signature && (
        <span class="call">
          <Icon name="pen" /> Sign here
        </span>
      )}
    </button>
  </section>
)
