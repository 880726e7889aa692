/** Documents as signers see them: received, and drawn where they are not plain, as creating a task and ingestion do it. */

import { isDrawn } from '../../../lib/pdf/prepare/preparation.ts'
import { drawDocument } from '../../../server/pdf/draw/draw-document.ts'
import { type Received, type Reception, receiveDocument } from '../../../server/pdf/receive.ts'
import type { InspectAnswer } from '../../../server/pdf/workers/jobs.ts'
import type { InspectOptions, PdfPool } from '../../../server/pdf/workers/pool.ts'

export async function receivedAsShown(pdf: Uint8Array, reception: Reception): Promise<Received> {
  const received = await receiveDocument(pdf, reception)
  if (!received.ok || !isDrawn(received.preparations)) return received
  const drawn = await drawDocument(received.pdf, reception.limits)
  return drawn.ok ? { ...received, pdf: drawn.pdf } : drawn
}

export async function inspectedAsShown(
  pool: PdfPool,
  pdf: Uint8Array,
  options: InspectOptions = {},
): Promise<InspectAnswer> {
  const inspected = await pool.inspect(Buffer.from(pdf).toString('base64'), options)
  if (!inspected.ok || !isDrawn(inspected.preparations)) return inspected
  const drawn = await pool.draw(inspected.pdf)
  return drawn.ok ? { ...inspected, pdf: drawn.pdf, sha256: drawn.sha256 } : drawn
}
