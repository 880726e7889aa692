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

/** Returns where a cell of a page is. */
export function cellArea(page: Area, cell: number): Area {
  const width = (page.right - page.left) / COLUMNS
  const height = (page.bottom - page.top) / ROWS
  const left = page.left + (cell % COLUMNS) * width
  const top = page.top + Math.floor(cell / COLUMNS) * height
  return { left, top, right: left + width, bottom: top + height }
}

/** Returns the cells of a page that are wholly inside what is in sight, counted from 0, row by row. */
export const cellsInSight = (page: Area, sight: Area): number[] =>
  Array.from({ length: CELLS }, (_, cell) => cell).filter((cell) => {
    const { left, top, right, bottom } = cellArea(page, cell)
    return (
      left >= sight.left - TOLERANCE_PX &&
      right <= sight.right + TOLERANCE_PX &&
      top >= sight.top - TOLERANCE_PX &&
      bottom <= sight.bottom + TOLERANCE_PX
    )
  })
