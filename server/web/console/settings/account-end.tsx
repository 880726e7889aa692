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
  const { title, verb, text, done } = WORDS[end]
  const confirm = async () => {
    onClose()
    const path = `/accounts/${id}`
    const told = { done: t(done, { name }), reload }
    if (end === 'remove') return act('DELETE', path, told)
    if (end === 'second factor') return act('DELETE', `${path}/second-factor`, told)
    if (end === 'sign out') return act('POST', `${path}/sign-out`, told)
    const body: AccountChangeBody = { isActive: end === 'enable' }
    return act('PATCH', path, { ...told, body })
  }
  return (
    <ConfirmDialog title={t(title, { name })} verb={t(verb)} onConfirm={() => void confirm()} onClose={onClose}>
      {t(text, { email })}
    </ConfirmDialog>
  )
}

const WORDS = {
  disable: {
    title: 'accountEnd.disable',
    verb: 'accountEnd.disableVerb',
    text: 'accountEnd.disableText',
    done: 'accountEnd.disabled',
  },
  enable: {
    title: 'accountEnd.enable',
    verb: 'accountEnd.enableVerb',
    text: 'accountEnd.enableText',
    done: 'accountEnd.enabled',
  },
  remove: {
    title: 'accountEnd.remove',
    verb: 'accountEnd.removeVerb',
    text: 'accountEnd.removeText',
    done: 'accountEnd.removed',
  },
  'second factor': {
    title: 'accountEnd.factor',
    verb: 'person.removeFactor',
    text: 'accountEnd.factorText',
    done: 'accountEnd.factorRemoved',
  },
  'sign out': {
    title: 'people.signOutTitle',
    verb: 'people.signOut',
    text: 'people.signOutMeans',
    done: 'people.signedOut',
  },
} as const satisfies Readonly<Record<End, object>>
