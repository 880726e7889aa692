/** Which parts of a page have been in sight. Pure. A page counts as shown in full when each cell of a grid over it has been. */

/** In CSS pixels, from the top left of the window. */
export interface Area {
  left: number
  top: number
  right: number
  bottom: number
}

const ROWS = 20
const COLUMNS = 4
export const CELLS = ROWS * COLUMNS
/** Browsers round the places of elements. */
const TOLERANCE_PX = 1

/** Returns the cells of a page that are wholly inside what is in sight, counted from 0, row by row. */
export function cellsInSight(page: Area, sight: Area): number[] {
  const width = (page.right - page.left) / COLUMNS
  const height = (page.bottom - page.top) / ROWS
  return Array.from({ length: CELLS }, (_, cell) => cell).filter((cell) => {
    const left = page.left + (cell % COLUMNS) * width
    const top = page.top + Math.floor(cell / COLUMNS) * height
    return (
      left >= sight.left - TOLERANCE_PX &&
      left + width <= sight.right + TOLERANCE_PX &&
      top >= sight.top - TOLERANCE_PX &&
      top + height <= sight.bottom + TOLERANCE_PX
    )
  })
}
