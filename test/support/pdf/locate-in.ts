/** Finds a phrase in a PDF, with the font extents of that PDF. */

import { openStructure } from '../../../lib/pdf/guard/structure.ts'
import { fontExtents } from '../../../lib/pdf/text/font-extents.ts'
import type { Hit, NeedleKind } from '../../../lib/pdf/text/search.ts'
import { locate } from '../../../lib/pdf/text/text.ts'

export async function locateIn(pdf: Uint8Array, needle: string, kind: NeedleKind = 'phrase'): Promise<Hit[]> {
  const opened = await openStructure(pdf)
  if (!opened.ok) throw new Error(opened.problem)
  const [hits = []] = await locate(pdf, [needle], { kind, extents: fontExtents(opened.doc) })
  return hits
}
