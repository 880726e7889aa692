/** Says whether a PDF is as it was signed here. Open to everybody, within a rate; the bytes are read in memory and not kept. */
import * as z from 'zod'
import { BUSY_RETRY_MS, VERIFICATIONS_PER_ADDRESS, VERIFY_WINDOW_MS } from '../../choices.ts'
import { Busy, Refusal } from '../../domain/refusal.ts'
import { signerRow } from './signer-context.ts'

const outcomes = ['valid', 'changed', 'damaged', 'signedByUnknown', 'uncheckable', 'notSigned', 'notPdf'] as const

export const VerificationAnswer = z.object({
  outcome: z.enum(outcomes),
  valid: z.boolean(),
  headline: z.string(),
  summary: z.string(),
  signatures: z.array(
    z.object({
      state: z.enum(['valid', 'invalid', 'unknown']),
      by: z.string().nullable(),
      isPinned: z.boolean().nullable(),
      signer: z.object({ name: z.string(), npi: z.string() }).nullable(),
      onBehalfOf: z.object({ name: z.string(), npi: z.string() }).optional(),
      isTest: z.boolean(),
      certificates: z.array(
        z.object({
          subject: z.string(),
          issuer: z.string(),
          validFrom: z.string().nullable(),
          validTo: z.string().nullable(),
        }),
      ),
      signedAt: z.string().nullable(),
      timestamp: z.object({ at: z.string(), authority: z.string(), isTrusted: z.boolean() }).nullable(),
      coversWholeDocument: z.boolean(),
      changedAfterSigning: z.boolean(),
      findings: z.array(z.string()),
    }),
  ),
  findings: z.array(z.string()),
})

export const verifyDocument = signerRow({
  method: 'post',
  path: '/verify/api/document',
  group: 'Verification',
  summary: 'Verify whether a PDF is as it was signed here',
  public: true,
  who: ['anybody'],
  body: 'pdf',
  reads: 'verification',
  perNetwork: { tries: VERIFICATIONS_PER_ADDRESS, windowMs: VERIFY_WINDOW_MS, of: 'documents' },
  responses: { 200: VerificationAnswer },
  async run({ verification: { pdf, certificatePem, authorities, takePlace }, at: now }, { body }) {
    const leave = takePlace()
    if (!leave) throw busy('Too many documents are waiting.')
    const asked = await pdf.verify(body, certificatePem, { authorities, now }).finally(leave)
    if (asked.ok) return asked.verdict
    if (asked.isForNow) throw busy('Too many documents are being read.')
    throw new Refusal('invalid', `The document ${asked.problem}.`)
  },
})

const busy = (why: string) => new Busy(BUSY_RETRY_MS, `${why} Try again in ${BUSY_RETRY_MS / 1000} seconds.`)
