/** The inputs for passwords of an account: a new one, and the one that its owner has. The service also refuses new ones that are easy to guess. */
import { t } from '../../words/words.ts'

const MIN_LENGTH = 12
const MAX_LENGTH = 200

export const PasswordInput = ({ label }: { label: string }) => (
  <label>
    {t('password.atLeast', { label, count: MIN_LENGTH })}
    <input
      name="password"
      type="password"
      required
      minLength={MIN_LENGTH}
      maxLength={MAX_LENGTH}
      autocomplete="new-password"
    />
  </label>
)

/** Asks visitors for the password that they have. */
export const CurrentPasswordInput = () => (
  <label>
    {t('password.current')}
    <input name="current" type="password" autocomplete="current-password" required />
  </label>
)

/** Returns what was entered there. */
export const currentPasswordOf = (data: FormData): string => String(data.get('current'))

/** Returns the new password from a form. It is not trimmed: a space is a character of a password like any other. */
export const passwordOf = (data: FormData): string => String(data.get('password'))
