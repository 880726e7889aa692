/** Puts something at the place of a box on a page. Points become CSS pixels; both count from the top left. */
import type { Box } from '../../../lib/pdf/geometry.ts'

export const boxStyle = ({ left, top, right, bottom }: Box, scale: number) => ({
  left: `${left * scale}px`,
  top: `${top * scale}px`,
  width: `${(right - left) * scale}px`,
  height: `${(bottom - top) * scale}px`,
})
