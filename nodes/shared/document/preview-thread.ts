/** The thread that reads a document for a preview, so that a hostile one cannot hold up Node-RED. Reads one and ends. */
import { parentPort, workerData } from 'node:worker_threads'
import { drawPreview, previewFields } from '../../../lib/pdf/placement/preview.ts'
import type { PreviewAnswer, PreviewQuestion } from './preview.ts'

const { pdf, annotations, drawn, profile } = workerData as PreviewQuestion

async function answer(): Promise<PreviewAnswer> {
  const placed = await previewFields(pdf, annotations, { profile })
  if (!placed.ok) return placed
  return { ...placed, ...(drawn && { pdf: await drawPreview(pdf, placed.fields) }) }
}

answer().then(
  (result) => parentPort!.postMessage(result),
  () => parentPort!.postMessage({ ok: false, problem: 'document.attachment: the document cannot be read' }),
)
