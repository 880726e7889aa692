/** The input for the password of an account. The service also refuses passwords that are easy to guess. */

const MIN_LENGTH = 12
const MAX_LENGTH = 200

export const PasswordInput = ({ label }: { label: string }) => (
  <label>
    {label}, at least {MIN_LENGTH} characters
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

/** Returns the password from a form. It is not trimmed: a space is a character of a password like any other. */
export const passwordOf = (data: FormData): string => String(data.get('password'))
