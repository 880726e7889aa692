/** Changes the user's own account: the password and the second factor. */
import { useEffect, useState } from 'preact/hooks'
import type { OwnSecondFactor } from '../../../people/second-factor/own-second-factor.ts'
import { call, sentenceOf } from '../api.ts'
import { Dialog } from '../dialogs/dialog.tsx'
import { type Purpose, SECOND_FACTOR, SecondFactorDialog } from '../second-factor/second-factor-dialog.tsx'
import type { Visitor } from './account.ts'
import { OwnPasswordDialog } from './own-password-dialog.tsx'
import '../second-factor/second-factor.css'

type Standing = Awaited<ReturnType<OwnSecondFactor['of']>>

interface AccountDialogProps {
  visitor: Visitor
  onClose(): void
}

export function AccountDialog({ visitor, onClose }: AccountDialogProps) {
  const [purpose, setWish] = useState<Purpose | 'password' | null>(null)
  const [standing, setStanding] = useState<Standing | null>(null)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    call<Standing>('GET', SECOND_FACTOR).then(setStanding, (failure: unknown) => setProblem(sentenceOf(failure)))
  }, [])
  if (purpose === 'password') return <OwnPasswordDialog onClose={onClose} />
  if (purpose) return <SecondFactorDialog purpose={purpose} onClose={onClose} />
  const button = (text: string, leadsTo: Purpose | 'password') => (
    <button type="button" onClick={() => setWish(leadsTo)}>
      {text}
    </button>
  )
  return (
    <Dialog title="Your account" onClose={onClose}>
      <ul class="account-parts">
        <li>
          <strong>Password</strong>
          <span>of {visitor.email}</span>
          {button('Change password', 'password')}
        </li>
        <li>
          <strong>Second factor</strong>
          <span>{standing ? stateOf(standing) : problem}</span>
          {standing && !standing.isOn && button('Set up', 'set up')}
          {standing?.isOn && (
            <div class="account-changes">
              {button('Replace', 'replace')}
              {button('New recovery codes', 'renew codes')}
              {!standing.isRequired && button('Turn off', 'turn off')}
            </div>
          )}
        </li>
      </ul>
      <div class="actions">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  )
}

const stateOf = ({ isOn, recoveryCodes: left }: Standing): string =>
  isOn ? `on, ${left} recovery ${left === 1 ? 'code' : 'codes'} left` : 'off'
