/** The buttons alongside an account: a new password, a way in again, its second factor, and its end. */
import type { Person } from '../../../operations/operator/messages/accounts.ts'
import { t } from '../../words/words.ts'
import { act } from '../act.ts'
import type { End } from './account-end.tsx'

interface Props {
  person: Person
  /** Whether the account is that of the visitor, who cannot end it. */
  isOwn: boolean
  onPassword: () => void
  onEnd: (end: End) => void
  onEdit: () => void
  reload: () => Promise<void>
}

export function AccountActions({ person, isOwn, onPassword, onEnd, onEdit, reload }: Props) {
  const button = (text: string, onClick: () => void, label = `${text} ${person.name}`) => (
    <button type="button" class="small" aria-label={label} onClick={onClick}>
      {text}
    </button>
  )
  return (
    <>
      {button(t('people.edit'), onEdit, t('people.editOf', { name: person.name }))}
      {button('New password', onPassword, `New password for ${person.name}`)}
      {person.isLocked && button('Unlock', () => void unlock(person, reload))}
      {person.isLinked && button('Unlink', () => void unlink(person, reload))}
      {!isOwn &&
        (person.disabledAt ? button('Enable', () => onEnd('enable')) : button('Disable', () => onEnd('disable')))}
      {!isOwn && button(t('people.signOut'), () => onEnd('sign out'), t('people.signOutOf', { name: person.name }))}
      {!isOwn && person.hasSecondFactor && button('Remove second factor', () => onEnd('second factor'))}
      {!isOwn && button('Remove', () => onEnd('remove'))}
    </>
  )
}

const unlock = ({ id, name }: Person, reload: () => Promise<void>) =>
  act('POST', `/accounts/${id}/unlock`, { done: `${name} can try to sign in again at once.`, reload })

const unlink = ({ id, name }: Person, reload: () => Promise<void>) =>
  act('POST', `/accounts/${id}/unlink`, { done: `${name} is unlinked from single sign-on.`, reload })
