/** Finds a phrase in a PDF, with the font extents of that PDF. */
import { fontExtents } from '../../lib/pdf/font-extents.ts'
import type { Hit, NeedleKind } from '../../lib/pdf/search.ts'
import { openStructure } from '../../lib/pdf/structure.ts'
import { locate } from '../../lib/pdf/text.ts'

export async function locateIn(pdf: Uint8Array, needle: string, kind: NeedleKind = 'phrase'): Promise<Hit[]> {
  const opened = await openStructure(pdf)
  if (!opened.ok) throw new Error(opened.problem)
  const [hits = []] = await locate(pdf, [needle], { kind, extents: fontExtents(opened.doc) })
  return hits
}
