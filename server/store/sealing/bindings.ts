/**
 * The text that each encrypted value is bound to: authenticated with it, so that the value can be decrypted in its own place
 * only. The texts are part of what is stored, so they never change.
 */
import type { DocumentKind } from '../../domain/task/document-kind.ts'
import type { Sealed } from './cipher.ts'

/** Represents a sealed value that is bound to the id of its row, until the database has given the row its id. */
export const UNBOUND: Sealed = new Uint8Array()

const subscription = (organizationId: number, id: number) => `subscription/${organizationId}/${id}`

export const bindings = {
  document: (taskId: number, kind: DocumentKind) => `task/${taskId}/document/${kind}`,
  /** With the organization, so that no one can point an event to another one's subscriptions in the database. */
  event: (eventId: string, organizationId: number) => `event/${eventId}/${organizationId}`,
  keepsake: (name: string) => `keepsake/${name}`,
  /** The sealed bytes of a document in a bucket. Their key is bound to the document. */
  object: (name: string) => `object/${name}`,
  /** `index` is the row's index by external id; the indexes are keyed under the names `externalId` and `demographics`. */
  patient: (organizationId: number, index: string) => `patient/${organizationId}/${index}`,
  noticeCode: (npi: string) => `provider/${npi}/notice-code`,
  recoveryCode: (personId: number) => `person/${personId}/recovery-code`,
  secondFactor: (personId: number) => `person/${personId}/second-factor`,
  secondFactorOffer: (personId: number) => `person/${personId}/second-factor-offer`,
  signature: (npi: string) => `provider/${npi}/signature`,
  subscriptionSecret: subscription,
  subscriptionNextSecret: (organizationId: number, id: number) => `${subscription(organizationId, id)}/next-secret`,
  subscriptionUrl: (organizationId: number, id: number) => `${subscription(organizationId, id)}/url`,
  subscriptionDescription: (organizationId: number, id: number) => `${subscription(organizationId, id)}/description`,
  taskFields: (taskId: number) => `task/${taskId}/fields`,
  taskTexts: (taskId: number) => `task/${taskId}/notes`,
  taskRequest: (taskId: number) => `task/${taskId}/request`,
  taskReview: (taskId: number) => `task/${taskId}/review`,
  taskDecision: (taskId: number) => `task/${taskId}/decision`,
  template: (organizationId: number, id: number) => `template/${organizationId}/${id}`,
  templateSample: (templateId: number) => `template/${templateId}/sample`,
} as const
