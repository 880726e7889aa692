/** Steps of a task through a store, decided as the service decides them, for tests without the service around it. */
import { SERVICE } from '../../../server/domain/audit.ts'
import { matchPatient, type PatientMatch } from '../../../server/domain/task/matching.ts'
import { recordOutcome } from '../../../server/domain/task/outcome.ts'
import { decideReview, type ReviewDecision } from '../../../server/domain/task/review.ts'
import { proceed, type Trigger, type TriggerFacts, transition } from '../../../server/domain/task/task.ts'
import type { OrganizationStore, Store } from '../../../server/store/store.ts'
import type { ClaimedTask } from '../../../server/store/tasks/claimed-task.ts'
import type { Presentation } from '../../../server/store/tasks/ingestion.ts'
import type { SignedDocument } from '../../../server/store/tasks/signing.ts'

type Ingesting = Pick<Store, 'ingestion'>

export const claim = (
  { ingestion }: Ingesting,
  at: Date,
  leaseUntil: Date,
  limit: number,
  onUnreadable?: (fault: unknown) => void,
) => ingestion.claim({ at, leaseUntil, limit }, (task) => proceed(task, 'begin', at), onUnreadable)

export const resolvePatient = ({ ingestion }: Ingesting, task: ClaimedTask, at: Date) =>
  ingestion.resolvePatient(task, matchPatient, at)

export const hold = ({ ingestion }: Ingesting, id: number, match: PatientMatch & { outcome: 'review' }, at: Date) =>
  ingestion.review(id, match, (task) => proceed(task, 'hold', at))

export const review = ({ reviews }: Pick<Store, 'reviews'>, id: number, decision: ReviewDecision, at: Date) =>
  reviews.decide(id, SERVICE, (task, open) => decideReview(task, open, decision, at))

export const present = (
  { ingestion }: Ingesting,
  task: ClaimedTask,
  placed: Omit<Presentation, 'signatureRule'>,
  facts: TriggerFacts,
) =>
  ingestion.present(
    task,
    { ...placed, signatureRule: 'atEnd' },
    (state, documentId) => transition(state, 'present', { ...facts, documentId }),
    facts.at,
  )

export const sign = (
  { signing }: Pick<Store, 'signing'>,
  id: number,
  document: Omit<SignedDocument, 'at'>,
  facts: TriggerFacts,
) => signing.sign('all', id, SERVICE, { ...document, at: facts.at }, (task) => transition(task, 'sign', facts))

export const trigger = ({ tasks }: Pick<Store, 'tasks'>, id: number, by: Trigger, facts: TriggerFacts) =>
  tasks('all').change(id, SERVICE, (task) => transition(task, by, facts))

export const record = (
  { tasks }: Pick<OrganizationStore, 'tasks'>,
  id: number,
  externalSavedDocumentId: string,
  at: Date,
) =>
  tasks.record(
    id,
    externalSavedDocumentId,
    (task, isNewId) => recordOutcome(task, { externalSavedDocumentId }, isNewId, at),
    at,
  )
