/** Finds where the fields will be, before anything is sent. Reads the document in a thread of its own, within limits. */
import { Worker } from 'node:worker_threads'
import { withinTime } from '../../../lib/clock.ts'
import type { Annotations } from '../../../lib/contract/task/document.ts'
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import { moduleAt } from '../../../lib/places.ts'
import type { HostProfile } from '../../../lib/profile/host-profile.ts'
import { NodeError } from '../runtime/failures.ts'

export interface PreviewQuestion {
  pdf: Uint8Array
  annotations: Annotations
  /** Whether to return the PDF with the boxes drawn into it. */
  drawn: boolean
  /** How the host speaks. */
  profile: HostProfile
}

export type PreviewAnswer = { ok: true; fields: Field[]; pdf?: Uint8Array } | { ok: false; problem: string }

const LIMIT_MS = 20_000
const MAX_HEAP_MB = 512

/**
 * Returns the fields, and the PDF when `drawn`; or, as `problem`, the sentence that the service would answer.
 * @throws the NodeError TOO_SLOW
 */
export async function preview(question: PreviewQuestion, signal: AbortSignal): Promise<PreviewAnswer> {
  const thread = new Worker(moduleAt('nodes/shared/document/preview-thread'), {
    workerData: question,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    // PDF readers print warnings about small faults, which do not belong in Node-RED's log.
    stdout: true,
    stderr: true,
  })
  try {
    return await withinTime(LIMIT_MS, signal, (limited) => answerOf(thread, limited))
  } finally {
    await thread.terminate()
  }
}

function answerOf(thread: Worker, limit: AbortSignal): Promise<PreviewAnswer> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new NodeError('TOO_SLOW', 'The document takes too long or too much memory to read.'))
    thread.once('message', resolve)
    thread.once('error', fail)
    thread.once('exit', fail)
    limit.addEventListener('abort', fail, { once: true })
    if (limit.aborted) fail()
  })
}
