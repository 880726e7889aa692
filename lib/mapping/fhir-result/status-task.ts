/** The Task of FHIR that says what became of a document that was not signed. Pure. */
import type { Task, TaskStatus } from '../../contract/task/task.ts'
import type { FhirOrigin } from './origin.ts'
import type { FhirResource } from './result-to-fhir.ts'

/** The statuses of a task in the words of FHIR. */
const STATUSES: Readonly<Record<TaskStatus, string>> = {
  Received: 'received',
  Processing: 'accepted',
  Pending: 'in-progress',
  Completed: 'completed',
  Rejected: 'rejected',
  Failed: 'failed',
  Retracted: 'cancelled',
  Cancelled: 'cancelled',
}

interface Ended {
  identifier: { system: string; value: string }
  date: string
  task: Pick<Task, 'status' | 'statusReason'>
  origin: FhirOrigin
}

export function statusTask({ identifier, date, task, origin }: Ended): FhirResource {
  const { document, orders, subject, signer } = origin
  return {
    resourceType: 'Task',
    identifier: [identifier],
    ...(orders.length > 0 && { basedOn: orders }),
    status: STATUSES[task.status],
    ...(task.statusReason && { statusReason: { text: task.statusReason } }),
    intent: 'order',
    ...(document && { focus: document }),
    for: subject,
    lastModified: date,
    ...(signer && { owner: signer }),
  }
}
