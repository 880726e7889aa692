/** Asks before an account is disabled, enabled or removed, loses its second factor, or is signed out, and says what that means. */
import type { AccountChangeBody, Person } from '../../../operations/operator/messages/accounts.ts'
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx'
import { t } from '../../words/words.ts'
import { act } from '../act.ts'

export type End = 'disable' | 'enable' | 'remove' | 'second factor' | 'sign out'

interface AccountEndProps {
  person: Person
  end: End
  reload(): Promise<void>
  onClose(): void
}

export function AccountEnd({ person: { id, name, email }, end, reload, onClose }: AccountEndProps) {
  const { title, verb, text, done } = end === 'sign out' ? signOutWords() : WORDS[end]
  const confirm = async () => {
    onClose()
    const path = `/accounts/${id}`
    const told = { done: `${name} ${done}`, reload }
    if (end === 'remove') return act('DELETE', path, told)
    if (end === 'second factor') return act('DELETE', `${path}/second-factor`, told)
    if (end === 'sign out') return act('POST', `${path}/sign-out`, told)
    const body: AccountChangeBody = { isActive: end === 'enable' }
    return act('PATCH', path, { ...told, body })
  }
  return (
    <ConfirmDialog title={`${title} ${name}?`} verb={verb} onConfirm={() => void confirm()} onClose={onClose}>
      {email} {text}
    </ConfirmDialog>
  )
}

const signOutWords = () => ({
  title: t('people.signOutTitle'),
  verb: t('people.signOut'),
  text: t('people.signOutMeans'),
  done: t('people.signedOut'),
})

const WORDS: Readonly<Record<Exclude<End, 'sign out'>, { title: string; verb: string; text: string; done: string }>> = {
  disable: {
    title: 'Disable',
    verb: 'Disable account',
    text: 'will be signed out everywhere at once, and cannot sign in until the account is enabled again.',
    done: 'can no longer sign in.',
  },
  enable: {
    title: 'Enable',
    verb: 'Enable account',
    text: 'can sign in again, with the same password as before.',
    done: 'can sign in again.',
  },
  remove: {
    title: 'Remove',
    verb: 'Remove account',
    text: 'will be signed out everywhere at once. This cannot be undone; the address may be given to a new account.',
    done: 'has no account any more.',
  },
  'second factor': {
    title: 'Remove the second factor of',
    verb: 'Remove second factor',
    text: 'will be signed out everywhere at once, and can then sign in with the password alone or set up a new one. Make sure that it is this person who asks.',
    done: 'has no second factor any more.',
  },
}
