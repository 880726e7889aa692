/**
 * The story of a task: the audit log and the events joined, one sentence per act, with everyone named who acted. The console,
 * the operator's interface and the inbox all print these sentences. Pure.
 */

import { reasonInWords } from '../../../lib/contract/task/reason-words.ts'
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import type { ActorKind, AuditOutcome, TaskAction } from '../audit.ts'
import type { AttemptOutcome, DeliveryState } from '../delivery/attempt.ts'
import { decidedIn, presentedIn } from './act-subject.ts'
import { transitions } from './task.ts'

/** A person, a key, or the service itself; `id` is an NPI, a key id or the id of an account. */
export interface StoryActor {
  kind: ActorKind
  id: string | null
  /** Null where the id belongs to no row that is still there. */
  name: string | null
}

export interface StoryAct {
  at: string
  action: TaskAction
  outcome: AuditOutcome
  actor: StoryActor
  requestId: string | null
  subject: string | null
  /** Name of the provider or organization that `subject` names; null for other subjects. */
  subjectName: string | null
}

export interface StoryDelivery {
  id: number
  eventId: string
  /** The receiver's description, or the host of its URL. */
  receiver: string
  state: DeliveryState
  occurredAt: string
  isHeld: boolean
  log: readonly { startedAt: string; durationMs: number; status: number | null; outcome: AttemptOutcome }[]
}

export interface StoryFacts {
  signer: { npi: string; name: string }
  sender: string
  statusReason: string | null
  savedDocumentId: string | null
  patientId: number | null
  patientCreatedAt: string | null
  /** In the order of the audit log. */
  acts: readonly StoryAct[]
  events: readonly { eventId: string; status: TaskStatus; at: string }[]
  deliveries: readonly StoryDelivery[]
}

export type StoryKind =
  | TaskAction
  | 'task.match'
  | 'task.route'
  | 'task.place'
  | 'document.seal'
  | 'event.send'
  | 'event'

export type StoryValues = Readonly<Record<string, string | number>>

export interface StoryEntry {
  at: string
  kind: StoryKind
  outcome: AuditOutcome
  sentence: string
  /** The values in the sentence, from which a page words it in another language. */
  values: StoryValues
  by: StoryActor
  /** The signer for whom a delegate acted; null otherwise. */
  onBehalfOf: { npi: string; name: string } | null
  /** The status after an act that changed it. */
  status: TaskStatus | null
  /** The delivery of an event on its way to a receiver. */
  deliveryId: number | null
}

export function storyOf(facts: StoryFacts): StoryEntry[] {
  const ends = facts.acts.find(
    ({ action, outcome }) => outcome === 'done' && (action === 'task.sign' || action === 'task.reject'),
  )
  const told = new Set<TaskStatus>()
  const acts = facts.acts.flatMap((act) => {
    const status = statusAfter(act)
    if (status) told.add(status)
    const onBehalfOf = ownerFor(act, facts)
    const entry = { ...base, at: act.at, outcome: act.outcome, by: act.actor, onBehalfOf, status }
    const words = {
      act,
      facts,
      who: nameOf(act, facts),
      forWhom: forOwner(act, facts),
      isEnded: !!ends && act.at >= ends.at,
    }
    if (act.outcome === 'refused' && !(act.action in stops))
      return [
        { ...entry, kind: act.action, sentence: `${words.who} was refused when trying to ${attempts[act.action]}.` },
      ]
    return sentences[act.action](words).map(([kind, sentence, values = {}]) => ({
      ...entry,
      kind,
      sentence,
      values,
      status: kind === act.action ? status : null,
    }))
  })
  const events = facts.events
    .filter(({ status }) => !told.has(status))
    .map(({ status, at }) => ({
      ...base,
      at,
      kind: 'event' as const,
      status,
      sentence: `The status became ${status}.`,
    }))
  const sent = facts.deliveries.map((delivery) => sending(delivery, facts))
  return [...acts, ...events, ...sent].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

/** Says who signed or rejected, by whom for whom: "Signed by Helen Marsh MD for Ian Voss MD." */
export function signerSentence(
  verb: 'Signed' | 'Rejected',
  actor: StoryActor,
  owner: { npi: string; name: string },
): string {
  if (actor.kind === 'service') return `${verb} by the demo script of ${owner.name}, not by a person.`
  if (actor.kind === 'key') return `${verb} as ${owner.name} by a call of the sandbox, with ${keyWords(actor)}.`
  const name = actor.id === owner.npi ? owner.name : (actor.name ?? actorWords(actor))
  return `${verb} by ${name}${actor.kind === 'signer' && actor.id !== owner.npi ? ` for ${owner.name}` : ''}.`
}

interface Words {
  act: StoryAct
  facts: StoryFacts
  who: string
  /** ` for Ian Voss MD`, where a delegate acted; else empty. */
  forWhom: string
  /** Whether the task had been signed or rejected. */
  isEnded: boolean
}

type Told = readonly (readonly [StoryKind, string, StoryValues?])[]

/** Names the document that was opened, by its kind. */
const viewed = (kind: string | null | undefined) =>
  kind === 'signed' ? 'Signed document' : kind === 'original' ? 'Document as it was received' : 'Document'

/** A row without a sentence does not compile. */
const sentences: Record<TaskAction, (words: Words) => Told> = {
  'task.create': ({ facts, act, who }) => [
    [
      'task.create',
      receivedWords(facts, act, who),
      {
        sender: facts.sender,
        ...(act.requestId && { request: act.requestId }),
        ...(act.actor.kind === 'operator' && { isTest: 'yes' }),
      },
    ],
  ],
  'task.present': ({ act, facts }) => presentedSentences(act, facts),
  'task.review': ({ act, who }) => [
    ['task.review', `${decisionWords(act.subject)} by ${who}.`, decisionValues(act.subject)],
  ],
  'task.reopen': ({ who }) => [['task.reopen', `Decision about the patient undone by ${who}; it is in review again.`]],
  'task.fail': ({ who, facts }) => [['task.fail', ended('Failed', who, facts), reasonValue(facts)]],
  'task.sign': ({ act, facts }) => [
    ['task.sign', signerSentence('Signed', act.actor, facts.signer), { signer: facts.signer.name }],
    ['document.seal', 'The signed document was sealed.'],
  ],
  'task.reject': ({ act, facts }) => [
    [
      'task.reject',
      `${withoutEnd(signerSentence('Rejected', act.actor, facts.signer))}${reasonOf(facts)}`,
      { signer: facts.signer.name, ...reasonValue(facts) },
    ],
  ],
  'task.retract': ({ who, facts }) => [['task.retract', ended('Retracted', who, facts), reasonValue(facts)]],
  'task.cancel': ({ who, facts }) => [['task.cancel', ended('Cancelled', who, facts), reasonValue(facts)]],
  'task.record': ({ who, facts }) => [
    [
      'task.record',
      `Outcome recorded with ${who}${facts.savedDocumentId ? `, saved as ${facts.savedDocumentId}` : ''}.`,
      facts.savedDocumentId ? { saved: facts.savedDocumentId } : {},
    ],
  ],
  'task.read': ({ who }) => [['task.read', `Read by ${who}.`]],
  'task.remove-contents': () => [
    ['task.remove-contents', 'Document and patient removed, because the task ended long ago.'],
  ],
  'document.read': ({ act, who, forWhom, isEnded }) => [
    [
      'document.read',
      `${readWords(act.actor.kind, isEnded)} by ${who}${forWhom}.`,
      { document: isEnded || act.actor.kind === 'key' ? 'signed' : 'unsigned' },
    ],
  ],
  'document.view': ({ act, who }) => [
    [
      'document.view',
      `${viewed(act.subject)} opened in the console by ${who}.`,
      { document: act.subject ?? 'received' },
    ],
  ],
  'document.copy': ({ who, forWhom }) => [['document.copy', `Unsigned copy downloaded by ${who}${forWhom}.`]],
  'document.differ': ({ who, forWhom }) => [
    ['document.differ', `Signing by ${who}${forWhom} stopped: the sealed file would have looked different.`],
  ],
  'seal.fail': ({ who, forWhom }) => [
    ['seal.fail', `Signing by ${who}${forWhom} stopped: the seal would not have been valid.`],
  ],
}

/** The act that a refused entry had attempted. */
const attempts: Record<TaskAction, string> = {
  'task.create': 'create the task',
  'task.present': 'present the document',
  'task.review': 'decide who the patient is',
  'task.reopen': 'undo the decision about the patient',
  'task.fail': 'fail the task',
  'task.sign': 'sign the document',
  'task.reject': 'reject the document',
  'task.retract': 'retract the task',
  'task.cancel': 'cancel the task',
  'task.record': 'record the outcome',
  'task.read': 'read the task',
  'task.remove-contents': 'remove the document',
  'document.read': 'read the document',
  'document.view': 'open the document in the console',
  'document.copy': 'download a copy',
  'document.differ': 'sign the document',
  'seal.fail': 'sign the document',
}

/** Acts that the log always writes as refused, and that have sentences of their own. */
const stops = { 'document.differ': true, 'seal.fail': true } satisfies Partial<Record<TaskAction, true>>

const base = {
  outcome: 'done' as const,
  by: { kind: 'service', id: null, name: null } satisfies StoryActor,
  values: {},
  onBehalfOf: null,
  status: null,
  deliveryId: null,
}

function statusAfter({ action, outcome }: StoryAct): TaskStatus | null {
  if (outcome !== 'done') return null
  return Object.values(transitions).find((rule) => rule.action === action)?.to ?? null
}

function receivedWords({ sender }: StoryFacts, { actor, requestId }: StoryAct, who: string): string {
  if (actor.kind === 'operator') return `Test order of ${sender}, sent by ${who}.`
  return `Received from ${sender}, with ${who}${requestId ? `, request ${requestId}` : ''}.`
}

function presentedSentences({ at, subject, subjectName }: StoryAct, facts: StoryFacts): Told {
  const presented = presentedIn(subject)
  const patientId = presented?.patientId ?? facts.patientId
  const isNew = facts.patientCreatedAt === at
  const fields = presented && `${presented.fields} field${presented.fields === 1 ? '' : 's'} placed on the document.`
  return [
    ...(patientId === null
      ? []
      : ([
          [
            'task.match',
            `Matched to ${isNew ? 'new ' : ''}patient ${patientId}.`,
            { patient: patientId, isNew: isNew ? 'yes' : 'no' },
          ],
        ] as const)),
    ...(presented && subjectName
      ? ([
          [
            'task.route',
            `Routed to ${subjectName}, ${ROUTES[presented.routedBy]}.`,
            { organization: subjectName, route: presented.routedBy },
          ],
        ] as const)
      : []),
    ...(presented && fields ? ([['task.place', fields, { fields: presented.fields }]] as const) : []),
    ['task.present', `Placed in the inbox of ${facts.signer.name}.`, { signer: facts.signer.name }],
  ]
}

const ROUTES = {
  orgNPI: 'by the NPI that the sender gave',
  address: 'by the address that the sender gave',
  primary: 'the signer’s primary organization',
} as const

function decisionWords(subject: string | null): string {
  const decided = decidedIn(subject)
  if (!decided) return 'Patient decided'
  return decided.isNew
    ? `Decided: a different person, new patient ${decided.patientId},`
    : `Decided: same person as patient ${decided.patientId},`
}

function decisionValues(subject: string | null): StoryValues {
  const decided = decidedIn(subject)
  return decided ? { patient: decided.patientId, isNew: decided.isNew ? 'yes' : 'no' } : {}
}

function readWords(reader: ActorKind, isEnded: boolean): string {
  if (reader === 'key') return 'Signed document downloaded'
  return isEnded ? 'Signed document opened' : 'Opened'
}

const reasonOf = ({ statusReason }: StoryFacts) =>
  statusReason ? `: ${withoutEnd(reasonInWords(statusReason))}.` : '.'
const reasonValue = ({ statusReason }: StoryFacts): StoryValues =>
  statusReason ? { reason: withoutEnd(reasonInWords(statusReason)) } : {}
const ended = (verb: string, who: string, facts: StoryFacts) => `${verb} by ${who}${reasonOf(facts)}`
const withoutEnd = (sentence: string) => sentence.replace(/\.$/, '')

/** The signer for whom this actor acted, or null. */
function ownerFor({ actor }: StoryAct, { signer }: StoryFacts): StoryEntry['onBehalfOf'] {
  return actor.kind === 'signer' && actor.id !== signer.npi ? signer : null
}
const forOwner = (act: StoryAct, facts: StoryFacts) => {
  const owner = ownerFor(act, facts)
  return owner ? ` for ${owner.name}` : ''
}

function nameOf({ actor }: StoryAct, { signer }: StoryFacts): string {
  if (actor.kind === 'signer' && actor.id === signer.npi) return signer.name
  return actorWords(actor)
}

function actorWords(actor: StoryActor): string {
  switch (actor.kind) {
    case 'key':
      return keyWords(actor)
    case 'signer':
      return actor.name ?? `the signer with NPI ${actor.id}`
    case 'operator':
      if (actor.id === null) return 'an operator at the command line'
      return actor.name ?? `the operator’s account or key ${actor.id}`
    case 'service':
      return 'the service'
    case 'visitor':
      return 'someone who was not signed in'
  }
}

const keyWords = ({ id, name }: StoryActor) => (name ? `key ${id} of ${name}` : `key ${id}`)

function sending(delivery: StoryDelivery, { events }: StoryFacts): StoryEntry {
  const status = events.find(({ eventId }) => eventId === delivery.eventId)?.status
  const last = delivery.log.at(-1)
  return {
    ...base,
    at: last?.startedAt ?? delivery.occurredAt,
    kind: 'event.send',
    deliveryId: delivery.id,
    sentence: `${status ?? 'Event'} ${sentWords(delivery)}.`,
    values: {
      receiver: delivery.receiver,
      state: delivery.state,
      isHeld: delivery.isHeld ? 'yes' : 'no',
      attempts: delivery.log.length,
      ...(status && { status }),
      ...(last && { answer: last.status ?? last.outcome }),
    },
  }
}

function sentWords({ state, receiver, isHeld, log }: StoryDelivery): string {
  const last = log.at(-1)
  const tries = log.length === 1 ? '1 attempt' : `${log.length} attempts`
  const answer = last ? `${tries}, the last ${answerWords(last)}` : 'no attempt yet'
  switch (state) {
    case 'delivered':
      return `sent to ${receiver}: ${last ? answerWords(last) : 'delivered'}${log.length > 1 ? `, after ${tries}` : ''}`
    case 'waiting':
      return `is waiting to be sent to ${receiver}${isHeld ? ', which is paused' : ''}: ${answer}`
    case 'failed':
      return `was not delivered to ${receiver}: ${answer}`
    case 'cancelled':
      return `will not be sent to ${receiver}, whose subscription is off: ${answer}`
  }
}

function answerWords({ status, outcome }: StoryDelivery['log'][number]): string {
  if (status !== null) return `answered ${status}`
  return ATTEMPTS[outcome]
}

const ATTEMPTS: Record<AttemptOutcome, string> = {
  delivered: 'delivered',
  http: 'not acknowledged',
  timeout: 'not answered in time',
  connection: 'without a connection',
  dns: 'with a host name that could not be resolved',
  tls: 'without a TLS connection',
  blocked_target: 'to an address that is not allowed',
}
