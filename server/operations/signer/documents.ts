/** The documents that wait for the caller, and what the caller does with them. No URL here holds more than an id. */
import * as z from 'zod'
import { ErrorBody } from '../../../lib/contract/error.ts'
import { pathId } from '../../../lib/contract/primitives.ts'
import { BUSY_RETRY_MS, OVERDUE_AFTER_MS, WAITING_SHOWN } from '../../choices.ts'
import { Busy, Refusal } from '../../domain/refusal.ts'
import type { Consent } from '../../domain/task/consent.ts'
import { consentOf } from '../../signing/circumstances.ts'
import { opened, waiting } from './as-shown.ts'
import { Opened, Preview, PreviewBody, RejectBody, SignBody, Waiting } from './messages.ts'
import { signerRow } from './signer-context.ts'

const about = {
  group: 'Documents',
  who: ['signer'],
  params: z.object({ taskId: pathId() }),
  taskId: 'taskId',
} as const

export const listWaiting = signerRow({
  method: 'get',
  path: '/inbox/api/documents',
  group: 'Documents',
  summary: `List what waits, the oldest first, up to ${WAITING_SHOWN}`,
  who: ['signer'],
  responses: { 200: z.array(Waiting) },
  run: async ({ inbox, at }) =>
    (await inbox.waiting(WAITING_SHOWN)).map((document) => waiting(document, overdueBefore(at))),
})

export const openDocument = signerRow({
  ...about,
  method: 'get',
  path: '/inbox/api/documents/:taskId',
  summary: 'Open a document that waits',
  responses: { 200: Opened, 404: ErrorBody },
  run: async ({ inbox, unsignedPdf, at }, { params: { taskId } }) =>
    opened((await inbox.open(taskId)) ?? gone(taskId), overdueBefore(at), unsignedPdf),
})

export const previewInk = signerRow({
  ...about,
  method: 'post',
  path: '/inbox/api/documents/:taskId/preview',
  summary: 'Preview the ink that signing would seal',
  body: PreviewBody,
  reads: 'signing',
  responses: { 200: Preview, 404: ErrorBody, 409: ErrorBody },
  async run(
    { scope, preview: { takePlace, previews } },
    { params: { taskId }, body: { sha256, values, drawn, isSigned, timeZone } },
  ) {
    const leave = takePlace()
    if (!leave) throw new Busy(BUSY_RETRY_MS, 'Too many documents are being previewed. Try again in a moment.')
    const draft = { values, signatureImage: drawn, isSigned, shownSha256: sha256, timeZone }
    return (await previews.of(scope, taskId, draft).finally(leave)) ?? gone(taskId)
  },
})

export const signDocument = signerRow({
  ...about,
  method: 'post',
  path: '/inbox/api/documents/:taskId/sign',
  summary: 'Sign a document',
  body: SignBody,
  reads: 'signing',
  responses: { 204: null, 404: ErrorBody, 409: ErrorBody },
  async run(
    { inbox, scope, by, signing, circumstances, at },
    { params: { taskId }, body: { sha256, inkedSha256, values, drawn, keep, timeZone, consent } },
  ) {
    await signing.sign(scope, taskId, by, {
      values,
      signatureImage: drawn,
      shownSha256: sha256,
      previewedSha256: inkedSha256,
      timeZone,
      circumstances: { ...circumstances, consent: consent === undefined ? null : agreedTo(consent) },
    })
    if (drawn && keep) await inbox.keepSignature(drawn, at)
  },
})

export const rejectDocument = signerRow({
  ...about,
  method: 'post',
  path: '/inbox/api/documents/:taskId/reject',
  summary: 'Reject a document',
  body: RejectBody,
  responses: { 204: null, 404: ErrorBody, 409: ErrorBody },
  run: ({ scope, by, signing }, { params: { taskId }, body: { reason } }) =>
    signing.reject(scope, taskId, by, reason.trim()),
})

function agreedTo(version: string): Consent {
  const consent = consentOf(version)
  if (!consent)
    throw new Refusal(
      'conflict',
      'consent: the text has changed since. Open the document again, and read it before you sign.',
    )
  return consent
}

const overdueBefore = (at: Date) => new Date(at.getTime() - OVERDUE_AFTER_MS)

/** A document of another signer and one that does not exist look the same. */
export function gone(taskId: number): never {
  throw new Refusal('notFound', `Document ${taskId} does not wait for you, or no longer does.`)
}
