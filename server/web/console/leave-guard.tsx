/** Asks before unsaved work is left, by a link of the page or by closing it. */
import { useEffect, useState } from 'preact/hooks'
import { ConfirmDialog } from '../shared/dialogs/confirm-dialog.tsx'

export function LeaveGuard({ isUnsaved }: { isUnsaved: boolean }) {
  const [target, setTarget] = useState<string | null>(null)
  useEffect(() => {
    if (!isUnsaved) return
    const beforeUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    const click = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="#"]') : null
      if (!link) return
      event.preventDefault()
      setTarget(link.hash)
    }
    addEventListener('beforeunload', beforeUnload)
    addEventListener('click', click, { capture: true })
    return () => {
      removeEventListener('beforeunload', beforeUnload)
      removeEventListener('click', click, { capture: true })
    }
  }, [isUnsaved])
  if (target === null) return null
  return (
    <ConfirmDialog
      title="Leave without saving"
      verb="Leave"
      onConfirm={() => {
        location.hash = target
      }}
      onClose={() => setTarget(null)}
    >
      What was changed on this page has not been saved.
    </ConfirmDialog>
  )
}
