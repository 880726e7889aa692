/** Reads what someone entered as a code: six digits are of an authenticator app, anything else is a recovery code. */
import type { AppCode, Code } from '../../store/sign-in/spend.ts'
import { stepOf } from './authenticator.ts'
import { compared } from './recovery-codes.ts'

export function codeOf(entered: string, at: Date): Code {
  const text = entered.replace(/\s/g, '')
  return /^\d{6}$/.test(text) ? appCode(text, at) : { kind: 'recovery', text: compared(entered) }
}

export const appCode = (entered: string, at: Date): AppCode => ({
  kind: 'app',
  stepOf: (secret, last) => stepOf(entered.replace(/\s/g, ''), secret, last, at),
})
