/** Valid request bodies, records and events, to be varied by the tests. All people are made up. */
import type { StatusEvent } from '../../../lib/contract/event.ts'
import type { CreateTask, Task } from '../../../lib/contract/task/task.ts'

export const aPdf = Buffer.from('%PDF-1.7\n1 0 obj\nendobj\ntrailer\n%%EOF\n').toString('base64')

export const aCreateBody = (document: Partial<CreateTask['document']> = {}): CreateTask => ({
  patient: {
    externalId: 'WILLOW|WC100001',
    names: [{ use: 'official', family: 'Whitfield', given: ['Alma'] }],
    sex: 'Female',
    birthDate: '1948-03-12',
    addresses: [{ line: '1 Alder Street', city: 'Duluth', state: 'MN', postalCode: '55802' }],
    identifiers: [{ authority: 'mrn', value: 'WC100001' }],
  },
  performers: [{ signer: { userNPI: '9999900019' } }],
  document: {
    attachment: aPdf,
    effectiveDate: '2026-01-15',
    documentTypeId: 104,
    externalDocId: 'EHR|DOC-000123',
    annotations: { type: 'SmartAnnotations' },
    ...document,
  },
})

export const aTaskRecord = (task: Partial<Task> = {}): Task => ({
  taskId: 1001,
  status: 'Pending',
  statusReason: null,
  documentId: 7001,
  externalDocId: 'EHR|DOC-000123',
  ...task,
})

export const anEvent = (event: Partial<StatusEvent> = {}): StatusEvent => ({
  eventId: '6f1c2d1e-3f52-4c2a-9c33-0d6a4c0c7f11',
  eventType: 'document.status_changed',
  taskId: 1001,
  documentId: 7001,
  status: 'Completed',
  statusReason: null,
  occurredAtUtc: '2026-01-15T09:31:00.000Z',
  ...event,
})
