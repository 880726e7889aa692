/** Watches which pages of the open document the signer has had before them in full. No document is signed before all were. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { announce } from '../../shared/announce.tsx'
import { t } from '../../words/words.ts'
import { fieldId, motion, scrollToField } from '../desk/show-field.ts'
import { type Area, CELLS, cellArea, cellsInSight } from './seen-cells.ts'

export interface ShownPages {
  /** Whether nothing of the pages has been shown yet: they are still being drawn. */
  isBlank: boolean
  /** Whether something of a page has not been shown yet. */
  isUnread: boolean
  /** Scrolls to what has not been shown yet. */
  readOn(): void
  /** Calls back once all pages have been shown in full. Otherwise it scrolls to what has not been, and says so. */
  onceShown(proceed: () => void): void
  /** Scrolls to a field at once, and as far as it stays in sight, to what has not been shown yet of its page. */
  showWithPage(index: number): void
}

/** @param pages how many pages must have been shown, from the first */
export function useShownPages(pages: number): ShownPages {
  const seen = useRef(new Map<number, Set<number>>())
  const [isBlank, setBlank] = useState(pages > 0)
  const [isUnread, setUnread] = useState(pages > 0)
  const firstUnseen = () => {
    lookAt(seen.current)
    const unseen = firstUnseenOf(seen.current, pages)
    setBlank(pages > 0 && seen.current.size === 0)
    setUnread(unseen !== null)
    return unseen
  }
  // In a layout effect, because a quick signer presses the keys before an effect that runs after painting would listen.
  useLayoutEffect(() => {
    const look = () => void firstUnseen()
    // In the capture phase, because a page that is larger than the screen scrolls in a box of its own.
    const listening = { capture: true, passive: true } as const
    document.addEventListener('scroll', look, listening)
    addEventListener('resize', look)
    // Pages are drawn when they come near, which may be after they have come into sight.
    const drawn = new MutationObserver(look)
    drawn.observe(document.body, { subtree: true, attributeFilter: ['data-drawn', 'style'] })
    look()
    return () => {
      document.removeEventListener('scroll', look, listening)
      removeEventListener('resize', look)
      drawn.disconnect()
    }
  }, [pages])
  const readOn = () => {
    const unseen = firstUnseen()
    if (unseen) scrollToCell(unseen)
    firstUnseen()
  }
  return {
    isBlank,
    isUnread,
    readOn,
    onceShown(proceed) {
      const unseen = firstUnseen()
      if (!unseen) return proceed()
      scrollToCell(unseen)
      announce(t('desk.scrollFirst', { page: unseen.page }), 'wrong')
    },
    showWithPage(index) {
      const field = document.getElementById(fieldId(index))
      const sheet = field?.closest<HTMLElement>('.sheet')
      const unseen = sheet && firstUnseenOf(seen.current, pages, Number(sheet.dataset.page))
      if (!field || !sheet || !unseen) return scrollToField(index)
      field.scrollIntoView({ block: 'nearest', inline: 'center', behavior: 'instant' })
      scrollBy({ top: wayTo(field, sheet, unseen.cell), behavior: 'instant' })
      firstUnseen()
    },
  }
}

interface Unseen {
  /** From 1. */
  page: number
  cell: number
}

/** Returns the first cell that has not been in sight; null when all of these pages have been. */
function firstUnseenOf(seen: ReadonlyMap<number, ReadonlySet<number>>, last: number, first = 1): Unseen | null {
  for (let page = first; page <= last; page++)
    for (let cell = 0; cell < CELLS; cell++) if (!seen.get(page)?.has(cell)) return { page, cell }
  return null
}

function scrollToCell({ page, cell }: Unseen) {
  const sheet = document.querySelector<HTMLElement>(`.sheet[data-page="${page}"]`)
  if (!sheet) return
  const sight = sightInto(sheet.parentElement!)
  const { left, top } = cellArea(sheet.getBoundingClientRect(), cell)
  sheet.parentElement!.scrollBy({ left: left - sight.left, behavior: motion() })
  scrollBy({ top: top - sight.top, behavior: motion() })
}

/** The part of the height in sight that is kept free above and below a field. */
const MARGIN = 1 / 4

/** Returns how far down to scroll, in CSS pixels. A page that fits is shown whole. */
function wayTo(field: HTMLElement, sheet: HTMLElement, unseenCell: number): number {
  const [place, page, sight] = [
    field.getBoundingClientRect(),
    sheet.getBoundingClientRect(),
    sightInto(sheet.parentElement!),
  ]
  const height = sight.bottom - sight.top
  if (page.height <= height) return page.top - sight.top
  const least = place.bottom + height * MARGIN - sight.bottom
  const most = place.top - height * MARGIN - sight.top
  return Math.min(Math.max(cellArea(page, unseenCell).top - sight.top, least), Math.max(most, least))
}

/** Adds the cells of the pages that are drawn and in sight now. */
function lookAt(seen: Map<number, Set<number>>) {
  if (document.querySelector('dialog[open]')) return
  for (const sheet of document.querySelectorAll<HTMLElement>('.sheet[data-drawn]')) {
    const number = Number(sheet.dataset.page)
    const cells = seen.get(number) ?? new Set()
    for (const cell of cellsInSight(sheet.getBoundingClientRect(), sightInto(sheet.parentElement!))) cells.add(cell)
    seen.set(number, cells)
  }
}

/** The part of the window that pages are shown in: alongside the guide, or above it where it is a bar at the bottom. */
function sightInto(sheets: HTMLElement): Area {
  const { left, right } = sheets.getBoundingClientRect()
  const guide = document.querySelector('.guide')
  const isBar = guide && getComputedStyle(guide).position === 'fixed'
  return {
    left: Math.max(left, 0),
    top: 0,
    right: Math.min(right, document.documentElement.clientWidth),
    bottom: isBar ? guide.getBoundingClientRect().top : innerHeight,
  }
}
