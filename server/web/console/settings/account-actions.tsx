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
  const { name } = person
  const button = (text: string, onClick: () => void, label: string) => (
    <button type="button" class="small" aria-label={label} onClick={onClick}>
      {text}
    </button>
  )
  return (
    <>
      {button(t('people.edit'), onEdit, t('people.editOf', { name }))}
      {button(t('person.newPassword'), onPassword, t('person.newPasswordFor', { name }))}
      {person.isLocked && button(t('person.unlock'), () => void unlock(person, reload), t('person.unlockOf', { name }))}
      {person.isLinked && button(t('person.unlink'), () => void unlink(person, reload), t('person.unlinkOf', { name }))}
      {!isOwn &&
        (person.disabledAt
          ? button(t('person.enable'), () => onEnd('enable'), t('person.enableOf', { name }))
          : button(t('person.disable'), () => onEnd('disable'), t('person.disableOf', { name })))}
      {!isOwn && button(t('people.signOut'), () => onEnd('sign out'), t('people.signOutOf', { name }))}
      {!isOwn &&
        person.hasSecondFactor &&
        button(t('person.removeFactor'), () => onEnd('second factor'), t('person.removeFactorOf', { name }))}
      {!isOwn && button(t('verb.remove'), () => onEnd('remove'), t('person.removeOf', { name }))}
    </>
  )
}

const unlock = ({ id, name }: Person, reload: () => Promise<void>) =>
  act('POST', `/accounts/${id}/unlock`, { done: t('person.unlocked', { name }), reload })

const unlink = ({ id, name }: Person, reload: () => Promise<void>) =>
  act('POST', `/accounts/${id}/unlink`, { done: t('person.unlinked', { name }), reload })
