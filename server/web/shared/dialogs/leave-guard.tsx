/** Asks before someone leaves with work that is not kept anywhere: the browser asks on the way out of the page, this dialog within it. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../words/words.ts'
import { guardRoute } from '../route.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface LeaveGuardProps {
  /** The title of the dialog. */
  title: string
  /** Whether work would be lost if the page itself were left now. */
  holdsPage: boolean
  /** The same if another part of the page were opened; its text says what would be lost. Null when nothing would. */
  holdsPart: string | null
}

export function LeaveGuard({ title, holdsPage, holdsPart }: LeaveGuardProps) {
  const [destination, setDestination] = useState<string | null>(null)
  const mayLeave = useRef(false)
  useEffect(() => {
    if (!holdsPage) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [holdsPage])
  // In a layout effect, because what has just been saved may be left at once.
  useLayoutEffect(() => {
    if (holdsPart === null) return
    return guardRoute(({ newURL }) => {
      if (!mayLeave.current) setDestination(new URL(newURL).hash)
      return mayLeave.current
    })
  }, [holdsPart])
  if (destination === null || holdsPart === null) return null
  return (
    <ConfirmDialog
      title={title}
      verb={t('verb.leave')}
      onConfirm={() => {
        mayLeave.current = true
        location.hash = destination
      }}
      onClose={() => setDestination(null)}
    >
      {holdsPart}
    </ConfirmDialog>
  )
}
