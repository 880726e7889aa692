/** Which fields the signer has had before the eyes with the ink that will be sealed. */
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { fieldKinds } from '../../../../../lib/contract/task/field-kinds.ts'
import type { Opened } from '../../../../operations/signer/messages.ts'
import type { Draft } from '../draft.ts'
import type { InkPreview } from './preview.ts'

export interface Look {
  /** Whether the page shows the ink of the field as it is filled in now; a field without ink has none to show. */
  isInked(index: number): boolean
  /** Whether all that is in sight was drawn as this preview has it. */
  isDrawn(preview: InkPreview): boolean
  /** A page was drawn as this preview has it. */
  onDrawn(page: number, preview: InkPreview): void
  /** A field has come into sight, or has left it. */
  onSight(index: number, isInSight: boolean): void
  /** Returns a field whose ink was never in sight; null when the signer has seen all of it. */
  unseen(): number | null
  /** Forgets what was seen until now. */
  forget(): void
}

type Field = Opened['fields'][number]

export function useLook({ fields }: Opened, draft: Draft): Look {
  const [drawn, setDrawn] = useState<ReadonlyMap<number, InkPreview>>(new Map())
  const inSight = useRef(new Set<number>())
  const seen = useRef(new Map<number, unknown>())
  const shownInk = (index: number) => {
    const shown = drawn.get(fields[index]!.page)
    return shown && inkOf(fields[index]!, index, shown.draft)
  }
  const note = () => {
    for (const index of inSight.current) seen.current.set(index, shownInk(index))
  }
  // In a layout effect, because the button that signs is enabled by the same change, and may be pressed at once.
  useLayoutEffect(note, [drawn])
  const newest = useRef(note)
  newest.current = note
  return {
    isInked: (index) => {
      const ink = inkOf(fields[index]!, index, draft)
      return ink !== null && shownInk(index) === ink
    },
    isDrawn: (preview) => [...inSight.current].every((index) => drawn.get(fields[index]!.page) === preview),
    onDrawn: useCallback(async (page, preview) => {
      await sightTold()
      setDrawn((before) => new Map(before).set(page, preview))
    }, []),
    onSight: useCallback((index, isInSight) => {
      if (isInSight) inSight.current.add(index)
      else inSight.current.delete(index)
      newest.current()
    }, []),
    unseen: () => {
      const index = fields.findIndex((field, i) => {
        const ink = inkOf(field, i, draft)
        return ink !== null && seen.current.get(i) !== ink
      })
      return index < 0 ? null : index
    },
    forget: () => seen.current.clear(),
  }
}

/**
 * Resolves when the browser has told what is in sight now. It tells all observers at once, in the order in which they were made,
 * so this one is notified of it after the fields.
 */
const sightTold = () =>
  new Promise<void>((resolve) => {
    const observer = new IntersectionObserver(() => {
      observer.disconnect()
      resolve()
    })
    observer.observe(document.body)
  })

/** Returns what the ink of a field shows, to be compared with `===`; null when it has none. */
function inkOf({ type }: Field, index: number, { values, signature }: Draft): unknown {
  switch (fieldKinds[type].value) {
    case 'signature':
      return signature
    case 'date':
      return 'the day'
    case 'text':
      return String(values[index] ?? '').trim() === '' ? null : values[index]
    case 'check':
      return values[index] === true
  }
}
