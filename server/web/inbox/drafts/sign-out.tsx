/** Signing out with drafts in this browser: the signer says whether they stay. */
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { announce } from '../../shared/announce.tsx'
import { Dialog } from '../../shared/dialogs/dialog.tsx'
import { t } from '../../words/words.ts'
import { draftedTasks, dropAllDrafts } from './drafts.ts'

/** Returns what signs out, or asks first; and the dialog that asks, null while it does not. */
export function useSignOut(signOut: () => void): [leave: () => Promise<void>, dialog: VNode | null] {
  const [drafts, setDrafts] = useState(0)
  const leave = async () => {
    // Without an answer there is nothing to choose: what is in this browser stays, and is given up after a week.
    const found = await draftedTasks().catch(() => [])
    if (found.length === 0) return signOut()
    setDrafts(found.length)
  }
  const removeAndLeave = () => dropAllDrafts().then(signOut, () => announce(t('draft.notRemoved'), 'wrong'))
  const dialog = drafts > 0 && (
    <SignOutDialog drafts={drafts} onKeep={signOut} onRemove={removeAndLeave} onClose={() => setDrafts(0)} />
  )
  return [leave, dialog || null]
}

interface SignOutDialogProps {
  /** How many there are. */
  drafts: number
  onKeep(): void
  onRemove(): void
  onClose(): void
}

const SignOutDialog = ({ drafts, onKeep, onRemove, onClose }: SignOutDialogProps) => (
  <Dialog title={t('draft.keepTitle')} onClose={onClose}>
    <p>{t('draft.keepText', { count: drafts })}</p>
    <div class="actions wrapping">
      <button type="button" onClick={onClose}>
        {t('verb.back')}
      </button>
      <button type="button" class="danger" onClick={onRemove}>
        {t('draft.remove')}
      </button>
      <button type="button" class="primary" onClick={onKeep}>
        {t('draft.keep')}
      </button>
    </div>
  </Dialog>
)
