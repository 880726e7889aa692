/** Accepts a document: checks it, prepares it to be shown and sealed, and checks what it has become as if it had come so. */
import type { ActiveContentPolicy } from '../../lib/pdf/active-content.ts'
import type { PageSize } from '../../lib/pdf/geometry.ts'
import type { PdfLimits } from '../../lib/pdf/limits.ts'
import type { Preparation } from '../../lib/pdf/preparation.ts'
import { preparePdf } from '../../lib/pdf/prepare.ts'
import { inspectPdf } from '../../lib/pdf/source.ts'

export type Accepted =
  | { ok: true; pdf: Uint8Array; pages: PageSize[]; preparations: readonly Preparation[] }
  | { ok: false; problem: string }

export async function acceptDocument(
  received: Uint8Array,
  limits: PdfLimits,
  policy: ActiveContentPolicy,
): Promise<Accepted> {
  const inspected = await inspectPdf(received, limits)
  if (!inspected.ok) return inspected
  const prepared = await preparePdf(received, policy)
  if (!prepared.ok) return prepared
  const { pdf, preparations } = prepared
  if (preparations.length === 0) return { ok: true, pdf, pages: inspected.pages, preparations }
  const again = await inspectPdf(pdf, limits)
  if (!again.ok || !isSameSize(again.pages, inspected.pages)) return { ok: false, problem: UNLIKE }
  return { ok: true, pdf, pages: inspected.pages, preparations }
}

const UNLIKE = 'cannot be made a document without a form and active content that looks the same; print it to PDF again'

const isSameSize = (a: readonly PageSize[], b: readonly PageSize[]): boolean =>
  a.length === b.length && a.every(({ width, height }, i) => width === b[i]!.width && height === b[i]!.height)
