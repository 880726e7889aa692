/** Finds phrases in a PDF, with the font extents of that PDF. */

import { openStructure } from '../../../lib/pdf/guard/structure.ts'
import { fontExtents } from '../../../lib/pdf/text/font-extents.ts'
import type { Hit, NeedleKind } from '../../../lib/pdf/text/search.ts'
import { locate } from '../../../lib/pdf/text/text.ts'

export async function locateIn(pdf: Uint8Array, needle: string, kind: NeedleKind = 'phrase'): Promise<Hit[]> {
  const [hits = []] = await locateAllIn(pdf, [needle], kind)
  return hits
}

/** The places of each phrase, in the order of the phrases. The PDF is read once. */
export async function locateAllIn(
  pdf: Uint8Array,
  needles: readonly string[],
  kind: NeedleKind = 'phrase',
): Promise<Hit[][]> {
  const opened = await openStructure(pdf)
  if (!opened.ok) throw new Error(opened.problem)
  return locate(pdf, needles, { kind, extents: fontExtents(opened.doc) })
}
