/**
 * Things that can go wrong with an integration, as cards of the control room: the faults that a card switches on, what a good
 * integration does then, and whether the traffic since then proves it. Pure.
 */
import type { Fault } from '../fault.ts'
import type { ReviewedPatients } from '../reviewed-patients.ts'
import type { Exchange } from '../traffic/exchange.ts'

/** Whether the integration did what a good one does, with the sentence that says why. */
export interface Verdict {
  isGood: boolean
  why: string
}

export interface Lesson {
  title: string
  /** A description of the fault. */
  does: string
  /** A description of what a good integration does then. */
  good: string
  /** Planned when the card is switched on. */
  faults: readonly Fault[]
  /** The tasks that wait for a review while the card is on; omitted where the card changes nothing about that. */
  reviews?: ReviewedPatients
  /** Returns null while the traffic since the card was switched on proves nothing. */
  judge(traffic: readonly Exchange[]): Verdict | null
}

const RETRY_SECONDS = 3
const LATE_SECONDS = 5

const good = (why: string): Verdict => ({ isGood: true, why })
const bad = (why: string): Verdict => ({ isGood: false, why })

const creates = (traffic: readonly Exchange[]) => traffic.filter(({ operation }) => operation === 'createTask')
const isLost = ({ fault }: Exchange) => fault === 'lose-answer' || fault === 'cut-answer'
/** Whether the service made a task, also where its answer was lost. */
const madeTask = (exchange: Exchange) => exchange.status === 201 || isLost(exchange)
const about = (traffic: readonly Exchange[], { externalDocId, id }: Exchange) =>
  traffic.filter((other) => other.id > id && externalDocId !== null && other.externalDocId === externalDocId)

function afterLostAnswer(traffic: readonly Exchange[]): Verdict | null {
  const lost = creates(traffic).filter((exchange) => exchange.fault === 'lose-answer')
  const verdicts = lost.flatMap((exchange) => {
    const later = about(traffic, exchange)
    const document = exchange.externalDocId ?? 'a document'
    if (creates(later).some(madeTask)) return bad(`A second task was made of ${document}.`)
    const looked = later.some(({ operation }) => operation === 'listTasks')
    return looked ? good(`The sender looked for ${document} and made no second task.`) : []
  })
  return worst(verdicts)
}

/** Judges all creates of the sender: a refused body is not read, and Retry-After is about the sender. */
function afterRefusal(status: number, traffic: readonly Exchange[]): Verdict | null {
  const all = creates(traffic)
  const verdicts = all.flatMap((exchange, index) => {
    const next = all[index + 1]
    if (exchange.fault !== 'refuse' || exchange.status !== status || !next) return []
    const seconds = (Date.parse(next.at) - Date.parse(exchange.at)) / 1000
    return seconds < RETRY_SECONDS
      ? bad(`The next create came after ${seconds.toFixed(1)} s, not after the ${RETRY_SECONDS} s of Retry-After.`)
      : good(`The next create came after ${seconds.toFixed(0)} s, as Retry-After asks.`)
  })
  return worst(verdicts)
}

/** Webhooks that a receiver must not believe. */
function refusesWebhook(fault: string, traffic: readonly Exchange[]): Verdict | null {
  const hit = traffic.filter((exchange) => exchange.direction === 'webhook' && exchange.fault === fault)
  const verdicts = hit.flatMap(({ status, taskId }) => {
    if (status === null) return []
    return status < 300
      ? bad(`A receiver answered ${status} to a webhook about task ${taskId} that it must not believe.`)
      : good(`The receiver refused the webhook about task ${taskId} with ${status}.`)
  })
  return worst(verdicts)
}

/** Webhooks that come twice or late must not be worked on twice. */
function recordsOnce(fault: string, traffic: readonly Exchange[]): Verdict | null {
  const hit = new Set(
    traffic.filter(({ direction, fault: by }) => direction === 'webhook' && by === fault).map(({ taskId }) => taskId),
  )
  const verdicts = [...hit].flatMap((taskId) => {
    const records = traffic.filter((one) => one.operation === 'updateTask' && one.taskId === taskId)
    const taken = records.filter(({ status }) => status !== null && status < 300)
    if (new Set(taken.map(({ url }) => url)).size > 1) return bad(`The outcome of task ${taskId} was recorded twice.`)
    return taken.length > 0 ? good(`The outcome of task ${taskId} was recorded once.`) : []
  })
  return worst(verdicts)
}

function waitsForReview(traffic: readonly Exchange[]): Verdict | null {
  const verdicts = creates(traffic)
    .filter(({ status }) => status === 201)
    .flatMap((exchange) => {
      const later = about(traffic, exchange)
      if (creates(later).some(madeTask)) return bad(`${exchange.externalDocId} was sent again while it waited.`)
      const reads = traffic.filter(
        ({ id, taskId, operation }) => id > exchange.id && taskId === exchange.taskId && operation === 'readTask',
      )
      return reads.length > 0 ? good(`Task ${exchange.taskId} was read again, and sent once.`) : []
    })
  return worst(verdicts)
}

/** One bad exchange outweighs all good ones. */
const worst = (verdicts: readonly Verdict[]): Verdict | null =>
  verdicts.find(({ isGood }) => !isGood) ?? verdicts.at(-1) ?? null

const onCreate = { on: 'request', operation: 'createTask' } as const

export const lessons = {
  'lost-answer': {
    title: 'Answer lost',
    does: 'The next create makes a task, and its answer is lost on the way.',
    good: 'Looks for the document by its externalDocId before it sends it again. No second task is made.',
    faults: [{ ...onCreate, fault: 'lose-answer', times: 1 }],
    judge: afterLostAnswer,
  },
  'too-many': {
    title: '429 with Retry-After',
    does: `Two creates are refused with 429 and Retry-After: ${RETRY_SECONDS}.`,
    good: `Sends the document again after ${RETRY_SECONDS} seconds, not earlier.`,
    faults: [{ ...onCreate, fault: 'refuse', status: 429, retryAfterSeconds: RETRY_SECONDS, times: 2 }],
    judge: (traffic) => afterRefusal(429, traffic),
  },
  'host-down': {
    title: 'Host down',
    does: `Every create is refused with 503 and Retry-After: ${RETRY_SECONDS}, until you switch this off.`,
    good: 'Keeps the document and sends it again later. Nothing is lost.',
    faults: [{ ...onCreate, fault: 'refuse', status: 503, retryAfterSeconds: RETRY_SECONDS }],
    judge: (traffic) => afterRefusal(503, traffic),
  },
  'doubled-webhooks': {
    title: 'Webhooks doubled',
    does: 'Every webhook is sent twice.',
    good: 'Works on an event once: the outcome of each task is recorded once.',
    faults: [{ on: 'callback', fault: 'duplicate' }],
    judge: (traffic) => recordsOnce('duplicate', traffic),
  },
  'late-webhooks': {
    title: 'Webhooks late and out of order',
    does: `Webhooks that report Pending arrive ${LATE_SECONDS} seconds late, after later ones.`,
    good: 'Reads the task and goes by its status there, not by the order of the webhooks.',
    faults: [{ on: 'callback', status: 'Pending', fault: 'delay', delaySeconds: LATE_SECONDS }],
    judge: (traffic) => recordsOnce('delay', traffic),
  },
  'forged-webhooks': {
    title: 'Forged webhooks',
    does: 'Webhooks are signed with a wrong secret.',
    good: 'Verifies the signature and refuses them; the retry with the right signature is accepted.',
    faults: [{ on: 'callback', fault: 'wrong-signature' }],
    judge: (traffic) => refusesWebhook('wrong-signature', traffic),
  },
  'old-webhooks': {
    title: 'Replayed webhooks',
    does: 'Webhooks have a timestamp from yesterday, as if they had been recorded and sent again.',
    good: 'Refuses what is older than five minutes.',
    faults: [{ on: 'callback', fault: 'old-timestamp' }],
    judge: (traffic) => refusesWebhook('old-timestamp', traffic),
  },
  'changed-webhooks': {
    title: 'Webhooks changed on the way',
    does: 'The body of webhooks names another task than the one that was signed.',
    good: 'Verifies the signature over the bytes of the body, before parsing it, and refuses them.',
    faults: [{ on: 'callback', fault: 'changed-body' }],
    judge: (traffic) => refusesWebhook('changed-body', traffic),
  },
  reviews: {
    title: 'Every patient needs a review',
    does: 'Each new task waits in Processing until an operator says who the patient is.',
    good: 'Waits, and does not send the document again.',
    faults: [],
    reviews: 'all',
    judge: waitsForReview,
  },
} satisfies Record<string, Lesson>

export type LessonName = keyof typeof lessons
export const lessonNames = Object.keys(lessons) as LessonName[]
export const lessonOf = (name: LessonName): Lesson => lessons[name]
