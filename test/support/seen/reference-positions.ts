/** Where independent readers see text in the fixtures: recorded figures, so that no test needs those readers. */
import { readFileSync } from 'node:fs'

/** Top left of a text on the displayed page, in points. */
export interface ReferencePosition {
  by: 'poppler' | 'mutool'
  /** From 1. */
  page: number
  left: number
  top: number
}

/** By file below test/fixtures/pdf, then by needle. */
export const referencePositions = (): Record<string, Record<string, ReferencePosition[]>> =>
  JSON.parse(readFileSync(new URL('../../fixtures/pdf-positions.json', import.meta.url), 'utf8'))
