/** The end of a form in a dialog: what is wrong with what was entered, the way back, and the button that sends it. */
import { t } from '../../words/words.ts'

interface FormEndProps {
  /** A sentence; empty when nothing is wrong. */
  problem: string
  /** On the button that sends the form. */
  verb: string
  onBack(): void
}

export const FormEnd = ({ problem, verb, onBack }: FormEndProps) => (
  <>
    <p class="problem" role="alert">
      {problem}
    </p>
    <div class="actions">
      <button type="button" onClick={onBack}>
        {t('verb.back')}
      </button>
      <button type="submit" class="primary">
        {verb}
      </button>
    </div>
  </>
)
