/**
 * Signs a document once before its signer sees it, with sample ink in its fields and a seal that belongs to no service: one that
 * cannot be signed, or that a viewer would never finish drawing, is found out here. What comes of it is thrown away.
 */
import { type FieldType, fieldKind } from '../../lib/contract/task/field-kinds.ts'
import type { PdfLimits } from '../../lib/pdf/guard/limits.ts'
import { openStructure } from '../../lib/pdf/guard/structure.ts'
import type { Field } from '../../lib/pdf/placement/placement.ts'
import type { SealKey } from '../../lib/pdf/seal/seal-key.ts'
import { pageWorkProblem } from '../../lib/pdf/work/page-work.ts'
import { completeDocument } from './complete.ts'
import type { Completion } from './completion.ts'
import { createSealCertificate } from './seal/certificate.ts'

export type Rehearsed = { ok: true } | { ok: false; problem: string }

/** The document as it will be signed. */
export interface Rehearsal {
  fields: readonly Field[]
  signature: Completion['signature']
  /** ISO 8601, UTC. */
  at: string
}

/**
 * Returns what is wrong, as a clause about the document that never quotes it.
 * @param pdf the document as it was accepted
 */
export async function rehearseSigning(
  pdf: Uint8Array,
  rehearsal: Rehearsal,
  limits: PdfLimits,
  onPageCount: (count: number) => void,
): Promise<Rehearsed> {
  const opened = await openStructure(pdf)
  if (!opened.ok) return opened
  const problem = pageWorkProblem(opened.doc, limits)
  if (problem) return { ok: false, problem }
  sealKey ??= createSealCertificate(new Date(rehearsal.at), 'Countersign rehearsal (not a signature)')
  const completion = sampleCompletion(rehearsal, await sealKey)
  const completed = await completeDocument(pdf, completion, { limits, onPageCount })
  return completed.ok ? { ok: true } : { ok: false, problem: `cannot be signed: ${completed.problem}` }
}

/** One for each thread, known to no verifier. */
let sealKey: Promise<SealKey> | undefined

function sampleCompletion({ fields, signature, at }: Rehearsal, seal: SealKey): Completion {
  return {
    fields,
    values: Object.fromEntries(fields.flatMap(({ type, value }, index) => (value ? [] : sampleValue(type, index)))),
    signer: { name: 'Sample Signer', npi: '0000000000', organization: null },
    isSigned: true,
    signatureImage: SAMPLE_SIGNATURE,
    signature,
    signedAt: at,
    timeZone: 'UTC',
    certificate: {
      taskId: 0,
      documentId: 0,
      receivedSha256: '0'.repeat(64),
      documentType: 'Sample',
      sender: { name: 'Sample Sender', npi: null, documentId: 'Sample' },
      patient: null,
      receivedAt: at,
      shownAt: null,
      circumstances: { authentication: null, address: null, device: null, consent: null },
      preparations: [],
      events: [],
      isTest: true,
    },
    seal,
    timestamp: null,
  }
}

/** Returns a value as short as signers write: only they know whether a longer text has room in its box. */
function sampleValue(type: FieldType, index: number): [number, string | boolean][] {
  const { value } = fieldKind(type)
  if (value === 'text') return [[index, 'OK']]
  return value === 'check' ? [[index, true]] : []
}

/** A PNG of one pixel: a drawn signature needs all that a typed one does, and a picture on the page. */
const SAMPLE_SIGNATURE = new Uint8Array(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
)
