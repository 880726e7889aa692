/** Shows new recovery codes, which no one can see again. */
interface RecoveryCodesProps {
  codes: readonly string[]
  /** The change of the second factor, in a sentence. */
  news: string
  onDone(): void
}

export const RecoveryCodes = ({ codes, news, onDone }: RecoveryCodesProps) => (
  <div class="set-up">
    <p role="status">
      {news} If you lose your phone, sign in with one of these recovery codes. Each works once. Write them down or print
      them now: they are not shown again.
    </p>
    <ol class="recovery-codes">
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ol>
    <div class="actions">
      <button type="button" class="primary" onClick={onDone}>
        I have kept them
      </button>
    </div>
  </div>
)
