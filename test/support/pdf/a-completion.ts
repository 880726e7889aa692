/** Builders for what the pool is asked. */
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import type { SealKey } from '../../../lib/pdf/seal/seal-key.ts'
import type { Completion } from '../../../server/pdf/completion.ts'
import { createSealCertificate } from '../../../server/pdf/seal/certificate.ts'

export const SIGNED_AT = '2026-01-15T14:03:05Z'

let made: Promise<SealKey> | undefined
/** One certificate for all tests: valid at SIGNED_AT. */
export function aSealKey(): Promise<SealKey> {
  made ??= createSealCertificate(new Date('2026-01-01T00:00:00Z'))
  return made
}

export const aField = (change: Partial<Field> = {}): Field => ({
  page: 1,
  box: { left: 100, top: 100, right: 280, bottom: 136 },
  type: 'VisibleSignature',
  required: false,
  value: null,
  ...change,
})

export async function aCompletion(change: Partial<Completion> = {}): Promise<Completion> {
  return {
    fields: [aField()],
    values: {},
    signer: { name: 'Dr. Łukasz Nguyễn', npi: '9999900019', organization: 'Lakeside Family Practice' },
    isSigned: true,
    signatureImage: null,
    signature: 'inFields',
    signedAt: SIGNED_AT,
    timeZone: 'UTC',
    certificate: {
      taskId: 7,
      documentId: 12,
      receivedSha256: 'ab'.repeat(32),
      preparations: [],
      documentType: 'Verbal order',
      sender: { name: 'Willow Creek Home Health', npi: '9999900084', documentId: 'DOC-1001' },
      patient: { name: 'Nora Hart', birthDate: '1931-05-14', mrn: 'WC100001' },
      receivedAt: '2026-01-15T13:59:58Z',
      shownAt: '2026-01-15T14:01:00Z',
      circumstances: {
        authentication: 'signed in with a password',
        address: '192.0.2.7',
        device: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
        consent: { version: '1', text: 'By signing you confirm that you have reviewed this document.' },
      },
      events: [
        { eventId: '5f1d7a30-93aa-4b0a-8f9d-2f1f6d6c0001', status: 'Pending', at: '2026-01-15T14:00:00Z' },
        { eventId: '5f1d7a30-93aa-4b0a-8f9d-2f1f6d6c0002', status: 'Completed', at: SIGNED_AT },
      ],
      isTest: false,
    },
    seal: await aSealKey(),
    timestamp: null,
    ...change,
  }
}
