/** Shows new recovery codes, which no one can see again. */
import { t } from '../../words/words.ts'

interface RecoveryCodesProps {
  codes: readonly string[]
  /** The change of the second factor, in a sentence. */
  news: string
  onDone(): void
}

export const RecoveryCodes = ({ codes, news, onDone }: RecoveryCodesProps) => (
  <div class="set-up">
    <p role="status">{t('factor.keepCodes', { news })}</p>
    <ol class="recovery-codes">
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ol>
    <div class="actions">
      <button type="button" class="primary" onClick={onDone}>
        {t('factor.kept')}
      </button>
    </div>
  </div>
)
