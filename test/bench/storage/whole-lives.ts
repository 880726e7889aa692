/**
 * Tasks from create to filed, each of a patient of its own, through a real store, with callbacks by a real dispatcher. Nothing reads
 * their PDFs: only the number of bytes counts here.
 */
import { createHash, randomFillSync, randomUUID } from 'node:crypto'
import { SERVICE } from '../../../server/domain/audit.ts'
import { matchPatient } from '../../../server/domain/task/matching.ts'
import { recordOutcome } from '../../../server/domain/task/outcome.ts'
import { proceed, transition } from '../../../server/domain/task/task.ts'
import { aField } from '../../support/pdf/a-completion.ts'
import { aPatient } from '../../support/service/a-patient.ts'
import type { aDispatch } from '../../support/store/a-dispatch.ts'

type Dispatch = Pick<Awaited<ReturnType<typeof aDispatch>>, 'store' | 'sender' | 'organizationId'>

/** Bytes of the documents of each task. */
export interface Sizes {
  received: number
  signed: number
}

const LEASE_MS = 60_000

export async function liveWholeLives(dispatch: Dispatch, count: number, sizes: Sizes): Promise<void> {
  for (let n = 0; n < count; n++) await liveOnce(dispatch, sizes)
}

async function liveOnce({ store, sender, organizationId }: Dispatch, sizes: Sizes): Promise<void> {
  const at = new Date()
  const [received, signed] = [aDocument(sizes.received), aDocument(sizes.signed)]
  const externalDocId = `EHR|${randomUUID()}`
  const { id } = await sender.tasks.create(
    {
      request: {
        patient: { ...aPatient(), externalId: `WILLOW|${randomUUID()}` },
        performer: { signer: { userNPI: '9999900019' } },
        effectiveDate: '2026-03-02',
        diagnosisCode: null,
        annotations: { type: 'SmartAnnotations' },
      },
      externalDocId,
      documentTypeId: 1,
      templateId: null,
      ...received,
      receivedSha256: received.sha256,
      preparations: [],
    },
    at,
  )
  const leaseUntil = new Date(at.getTime() + LEASE_MS)
  const [claimed] = await store.ingestion.claim({ at, leaseUntil, limit: 1 }, (task) => proceed(task, 'begin', at))
  const match = await store.ingestion.resolvePatient(claimed!, matchPatient, at)
  if (match.outcome !== 'known') throw new Error('A new patient is known by its id.')
  const { patientId } = match
  const event = () => ({ at, eventId: randomUUID() })
  await store.ingestion.present(
    claimed!,
    { patientId, routedTo: organizationId, routedBy: 'primary', fields: [aField()], signatureRule: 'required' },
    (task, documentId) => transition(task, 'present', { ...event(), documentId }),
    at,
  )
  await store.signing.sign('all', id, SERVICE, { ...signed, at, content: 'as it was signed' }, (task) =>
    transition(task, 'sign', event()),
  )
  const outcome = { externalSavedDocumentId: externalDocId, saved: true, archived: true }
  await sender.tasks.record(id, externalDocId, (task, isNew) => recordOutcome(task, outcome, isNew, at), at)
}

/** Noise, as what is sealed cannot be compressed either. */
function aDocument(size: number) {
  const pdf = randomFillSync(Buffer.alloc(size))
  return { pdf, sha256: createHash('sha256').update(pdf).digest('hex') }
}
