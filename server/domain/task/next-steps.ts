/**
 * What to do about an order that does not move: one sentence and one act for each reason that it can be stuck for. The console
 * shows them, and the operator's interface gives them with the task. Pure.
 */

import { reasonInWords } from '../../../lib/contract/task/reason-words.ts'
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import type { DeliveryState, SubscriptionState } from '../delivery/attempt.ts'
import { type FailReason, failReasonOf } from './fail-reasons.ts'

export type StuckReason =
  | FailReason
  | 'review'
  | 'ingesting'
  | 'unreadable'
  | 'signerInactive'
  | 'unstampable'
  | 'signerSlow'
  | 'receiverPaused'
  | 'receiverOff'
  | 'receiverDeleted'
  | 'deliveryFailed'
  | 'noReceiver'
  | 'unrecorded'

/** The act of a button. */
export type NextAct =
  /** Opens another page of the console. */
  | { kind: 'open'; label: string; route: string }
  /** Goes to the review on the page of the task. */
  | { kind: 'review'; label: string }
  /** Sends the events of the task to one receiver again, now. */
  | { kind: 'resend'; label: string; subscriptionId: number }
  /** Sends the signer an e-mail that says how many documents wait. */
  | { kind: 'remind'; label: string; npi: string }
  /** Copies a text for the person who can continue. It never has contents of the document. */
  | { kind: 'copy'; label: string; text: string }

export interface NextStep {
  reason: StuckReason
  sentence: string
  /** The values in the sentence, from which a page words it in another language. */
  values: Readonly<Record<string, string>>
  act: NextAct
}

export interface StuckFacts {
  taskId: number
  status: TaskStatus
  inReview: boolean
  statusReason: string | null
  isRecorded: boolean
  updatedAt: string
  sender: string
  organizationId: number
  externalDocId: string
  signer: { npi: string; name: string; isActive: boolean; mayRemind: boolean }
  /** Whether a name on the document stops signing, because the service has no font for it. */
  isUnstampable: boolean
  deliveries: readonly StuckDelivery[]
  /** Whether the reader is the operator, who reaches every page; otherwise an administrator of the sender. */
  isOperator: boolean
}

interface StuckDelivery {
  state: DeliveryState
  subscriptionId: number
  subscriptionState: SubscriptionState
  receiver: string
  isHeld: boolean
}

export function nextSteps(facts: StuckFacts, now: Date): NextStep[] {
  return reasonsOf(facts, now).map(({ reason, delivery }) => {
    const [sentence, act] = steps[reason](facts, delivery)
    const { signer, sender, externalDocId, status } = facts
    const values = {
      npi: signer.npi,
      signer: signer.name,
      sender,
      document: externalDocId,
      status,
      ...(delivery && { receiver: delivery.receiver }),
    }
    return { reason, sentence, values, act: reachable(act, sentence, facts) }
  })
}

interface Reason {
  reason: StuckReason
  delivery?: StuckDelivery
}

function reasonsOf(facts: StuckFacts, now: Date): Reason[] {
  const { status, inReview, isRecorded, signer, isUnstampable, deliveries } = facts
  const age = now.getTime() - Date.parse(facts.updatedAt)
  switch (status) {
    case 'Received':
    case 'Processing':
      if (inReview) return [{ reason: 'review' }]
      return age > INGESTION_LATE_MS ? [{ reason: 'ingesting' }] : []
    case 'Pending':
      if (!signer.isActive) return [{ reason: 'signerInactive' }, ...ofReceivers(deliveries)]
      if (isUnstampable) return [{ reason: 'unstampable' }, ...ofReceivers(deliveries)]
      return [...(age > SIGNER_SLOW_MS ? [{ reason: 'signerSlow' as const }] : []), ...ofReceivers(deliveries)]
    case 'Failed':
      return [{ reason: failReasonOf(facts.statusReason) ?? 'unreadable' }, ...ofReceivers(deliveries)]
    case 'Completed':
    case 'Rejected':
    case 'Retracted':
    case 'Cancelled': {
      const receivers = ofReceivers(deliveries)
      if (receivers.length > 0 || isRecorded || status === 'Retracted' || status === 'Cancelled') return receivers
      if (deliveries.length === 0) return [{ reason: 'noReceiver' }]
      return age > UNRECORDED_MS ? [{ reason: 'unrecorded' }] : []
    }
  }
}

/** One reason for each receiver, however many events it lacks. */
function ofReceivers(deliveries: readonly StuckDelivery[]): Reason[] {
  const found = new Map<number, Reason>()
  for (const delivery of deliveries) {
    const reason = receiverReason(delivery)
    if (reason && !found.has(delivery.subscriptionId)) found.set(delivery.subscriptionId, { reason, delivery })
  }
  return [...found.values()]
}

function receiverReason({ state, subscriptionState, isHeld }: StuckDelivery): StuckReason | null {
  if (state === 'delivered') return null
  if (subscriptionState === 'deleted') return 'receiverDeleted'
  if (subscriptionState === 'inactive') return 'receiverOff'
  if (state === 'waiting') return isHeld ? 'receiverPaused' : null
  return 'deliveryFailed'
}

type Step = (facts: StuckFacts, delivery?: StuckDelivery) => readonly [sentence: string, act: NextAct]

/** A reason without a step does not compile. */
const steps: Record<StuckReason, Step> = {
  review: () => [
    'The signer does not see the document until an operator decides who the patient is.',
    { kind: 'review', label: 'Decide' },
  ],
  ingesting: () => [
    'The service has not prepared the document yet, which usually takes seconds.',
    { kind: 'open', label: 'Look at the workers', route: 'instances' },
  ],
  unknownSigner: ({ signer }) => [
    `No active signer has NPI ${signer.npi}. Add the signer or correct the NPI; the sender then sends the order again.`,
    { kind: 'open', label: `Add signer ${signer.npi}`, route: `providers?npi=${signer.npi}` },
  ],
  noOrganization: ({ signer }) => [
    `The signer with NPI ${signer.npi} has no active organization. Add one; the sender then sends the order again.`,
    { kind: 'open', label: 'Open the signers', route: 'providers' },
  ],
  ingestionOff: ({ sender, organizationId }) => [
    `${sender} may not send orders. Allow it; the sender then sends the order again.`,
    { kind: 'open', label: `Open ${sender}`, route: `organizations/${organizationId}` },
  ],
  noSignatureField: (facts) => [
    'The document has no place for a signature, and the sender’s rule requires one.',
    toSender(facts, 'it has no field for a signature. Please add one and send the order again'),
  ],
  noDocument: (facts) => [
    'The document is no longer stored here, so the sender has to send it again.',
    toSender(facts, 'its document is no longer stored. Please send the order again'),
  ],
  givenUp: (facts) => [
    'The document could not be read in several attempts.',
    toSender(facts, 'its PDF could not be read. Please print it to PDF again and send it as a new order'),
  ],
  unreadable: (facts) => [
    'The order was returned to its sender, who has to correct it and send it again.',
    toSender(
      facts,
      facts.statusReason ? `it was returned: ${reasonInWords(facts.statusReason)}` : 'it was returned without a reason',
    ),
  ],
  signerInactive: ({ signer }) => [
    `${signer.name} is no longer active and cannot sign. Activate the signer, or cancel the order.`,
    { kind: 'open', label: 'Open the signers', route: 'providers' },
  ],
  unstampable: ({ organizationId }) => [
    'A name has characters for which the service has no font, so the document cannot be signed until the name is changed.',
    { kind: 'open', label: 'Open the organization', route: `organizations/${organizationId}` },
  ],
  signerSlow: ({ signer, externalDocId }) => [
    `${signer.name} has not signed or rejected it for more than three days.`,
    signer.mayRemind
      ? { kind: 'remind', label: 'Send a reminder', npi: signer.npi }
      : {
          kind: 'copy',
          label: 'Copy a reminder',
          text: `A document has been waiting in your inbox for more than three days (order ${externalDocId}). Please sign or reject it.`,
        },
  ],
  receiverPaused: (_facts, delivery) => [
    `${nameOf(delivery)} is paused, so it does not have the latest status of this order.`,
    { kind: 'resend', label: 'Resend now', subscriptionId: idOf(delivery) },
  ],
  receiverOff: (_facts, delivery) => [
    `${nameOf(delivery)} is off, so it does not have the latest status of this order. Turn it on, then resend.`,
    { kind: 'open', label: 'Open the receiver', route: `receivers/${idOf(delivery)}` },
  ],
  receiverDeleted: (facts, delivery) => [
    `${nameOf(delivery)} was deleted by its sender before it received the latest status of this order.`,
    toSender(facts, 'the subscription it would have been reported to was deleted. Please read the order’s status'),
  ],
  deliveryFailed: (_facts, delivery) => [
    `${nameOf(delivery)} did not accept the latest status of this order.`,
    { kind: 'resend', label: 'Resend now', subscriptionId: idOf(delivery) },
  ],
  noReceiver: (facts) => [
    'The sender has no subscription, so nothing reported the outcome to it.',
    toSender(facts, `no subscription receives its outcome. Please read the order’s status: it is ${facts.status}`),
  ],
  unrecorded: (facts) => [
    'The sender was notified more than a day ago and has not recorded the outcome.',
    toSender(facts, `it is ${facts.status}, and its outcome has not been recorded. Please file it`),
  ],
}

const nameOf = (delivery: StuckDelivery | undefined) => delivery?.receiver ?? 'A receiver'
const idOf = (delivery: StuckDelivery | undefined) => delivery?.subscriptionId ?? 0

const toSender = ({ taskId, externalDocId }: StuckFacts, because: string): NextAct => ({
  kind: 'copy',
  label: 'Copy a message to the sender',
  text: `Order ${externalDocId} (task ${taskId}) needs your attention, because ${because}.`,
})

/** An administrator cannot open a page of the operator alone, and asks the operator instead. */
function reachable(act: NextAct, sentence: string, { taskId, isOperator }: StuckFacts): NextAct {
  const isOperators =
    act.kind === 'review' ||
    (act.kind === 'open' && OPERATORS_PAGES.some((page) => act.route === page || act.route.startsWith(`${page}?`)))
  if (isOperator || !isOperators) return act
  return { kind: 'copy', label: 'Copy a message to the operator', text: `Task ${taskId}: ${sentence}` }
}

const OPERATORS_PAGES = ['instances', 'providers']

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
export const INGESTION_LATE_MS = 5 * MINUTE_MS
export const SIGNER_SLOW_MS = 3 * DAY_MS
export const UNRECORDED_MS = DAY_MS
