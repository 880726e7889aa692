/** The order in which a person meets places on the pages. Pure. */
import type { Box } from '../geometry.ts'
import type { Hit } from './search.ts'

/** A piece of a page's text, without blanks around it. */
export interface TextLine {
  /** The text itself. */
  text: string
  /** In points from the top left of the page as displayed. */
  box: Box
}

/** Tops this close, in em, belong to one line. */
const ONE_LINE = 0.3

/** Returns the hits page by page, line by line, from the left. */
export function inReadingOrder<H extends Hit>(hits: readonly H[]): H[] {
  const byTop = [...hits].sort((a, b) => a.page - b.page || a.box.top - b.box.top)
  const lines: H[][] = []
  for (const hit of byTop) {
    const first = lines.at(-1)?.[0]
    const isOnLine = first?.page === hit.page && hit.box.top - first.box.top < ONE_LINE * Math.min(first.em, hit.em)
    if (isOnLine) lines.at(-1)!.push(hit)
    else lines.push([hit])
  }
  return lines.flatMap((line) => line.sort((a, b) => a.box.left - b.box.left))
}
