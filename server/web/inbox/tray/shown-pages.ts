/** Watches which pages of the open document the signer has had before them in full. */
import { useEffect, useRef } from 'preact/hooks'
import { type Area, CELLS, cellsInSight } from './seen-cells.ts'

/** Returns a function that says which page has not been shown in full yet, the first from 1; null when all have been. */
export function useShownPages(pages: number): () => number | null {
  const seen = useRef(new Map<number, Set<number>>())
  useEffect(() => {
    const look = () => lookAt(seen.current)
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
  }, [])
  return () => {
    lookAt(seen.current)
    for (let page = 1; page <= pages; page++) if ((seen.current.get(page)?.size ?? 0) < CELLS) return page
    return null
  }
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
  const guide = document.querySelector('.guide')!
  const isBar = getComputedStyle(guide).position === 'fixed'
  return {
    left: Math.max(left, 0),
    top: 0,
    right: Math.min(right, document.documentElement.clientWidth),
    bottom: isBar ? guide.getBoundingClientRect().top : innerHeight,
  }
}
