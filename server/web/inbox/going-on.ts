/** Which document the signer comes to after the one that is open: the next of the list as it was searched and sorted. */
import { useRef } from 'preact/hooks'
import type { Waiting } from '../../operations/signer/messages.ts'
import { goInstead } from '../shared/route.ts'
import { following, type ListView, shownList } from './list/shown-list.ts'

/**
 * Returns a function that leaves the open document for the next one, or for the given place when there is none. The way back
 * then leads to where the document was opened.
 *
 * @param taskId of the open document; null when none is open
 * @param isPutAside whether a document needs nothing more for now
 */
export function useGoingOn(
  waiting: readonly Waiting[] | null,
  view: ListView,
  taskId: number | null,
  isPutAside: (taskId: number) => boolean,
): (otherwise?: string) => void {
  const shown = shownList(waiting ?? [], view)
  // Remembered, because a document may leave the list before the page hears that it was signed.
  const after = useRef<readonly number[]>([])
  if (shown.some((document) => document.taskId === taskId)) after.current = following(shown, taskId!)
  return (otherwise = '') => {
    const left = shown.map((document) => document.taskId).filter((id) => id !== taskId && !isPutAside(id))
    const next = after.current.find((id) => left.includes(id)) ?? left[0]
    goInstead(next === undefined ? otherwise : `documents/${next}`)
  }
}
