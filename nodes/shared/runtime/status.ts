/** The status shown beneath a node: short texts of the catalog, never a value of a message. */
import type { Queue } from '../../../lib/client/pace/queue.ts'
import type { Runtime, RuntimeNode, Status } from './node-red.ts'

/** The catalogue that all nodes share; it lies alongside the configuration node. */
const CATALOGUE = '@countersign/node-red-document-signature/service'

export type Tone = 'good' | 'idle' | 'busy' | 'waiting' | 'bad'

const LOOKS: Record<Tone, Status> = {
  good: { fill: 'green', shape: 'dot' },
  idle: { fill: 'grey', shape: 'ring' },
  busy: { fill: 'blue', shape: 'dot' },
  waiting: { fill: 'yellow', shape: 'ring' },
  bad: { fill: 'red', shape: 'ring' },
}

export interface Shown {
  tone: Tone
  key: string
  values?: Record<string, unknown>
  /** Texts of `news` shown after the text, each of which repeats the one before it. */
  details?: readonly { key: string; values: Record<string, unknown> }[]
  /** The task that it is about. */
  taskId?: number | undefined
  /** When it came about, in milliseconds since 1970; shown as the time of day. */
  at?: number
}

/** Returns a text of the shared catalogue, for example `status.done`. */
export const sharedText = (runtime: Runtime, key: string, values?: Record<string, unknown>) =>
  runtime._(`${CATALOGUE}:${key}`, values)

export function show(runtime: Runtime, node: RuntimeNode, shown: Shown | null) {
  node.status(shown ? { ...LOOKS[shown.tone], text: textOf(runtime, shown) } : {})
}

function textOf(runtime: Runtime, { key, values, details = [], taskId, at }: Shown): string {
  const text = details.reduce(
    (before, detail) => sharedText(runtime, `news.${detail.key}`, { text: before, ...detail.values }),
    sharedText(runtime, `status.${key}`, values),
  )
  if (at === undefined) return text
  const time = new Date(at).toTimeString().slice(0, 5)
  return sharedText(runtime, taskId === undefined ? 'news.at' : 'news.atTask', { text, taskId, time })
}

/** The failures an operator must tell apart at a glance; all others read "failed". */
const FAILURES: Record<string, string> = {
  INVALID_INPUT: 'invalid',
  REFUSED: 'refused',
  UNAUTHORIZED: 'unauthorized',
  RATE_LIMITED: 'rateLimited',
  UNEXPECTED_RESPONSE: 'unexpected',
  NO_SERVICE: 'noService',
  NO_KEY: 'noKey',
  PORT_IN_USE: 'portInUse',
  NOT_COMPLETED: 'notCompleted',
  NO_SIGNED_PDF: 'noSignedPdf',
  ALREADY_SIGNED: 'alreadySigned',
  UNKNOWN_TASK: 'notFound',
  NOT_PENDING: 'notPending',
  OTHER_SERVICE: 'otherService',
  OTHER_DOCUMENT: 'otherDocument',
  NOT_WIRED: 'notWired',
  NO_SANDBOX: 'noSandbox',
  CANNOT_SAVE: 'cannotSave',
  CONTENT_DIFFERS: 'held',
  SEVERAL_TASKS: 'held',
  TASK_ENDED: 'held',
  OTHER_KEY: 'held',
  WITHDRAWN: 'held',
  OUTCOME_UNKNOWN: 'held',
  BAD_URL: 'badUrl',
  BAD_BIND_ADDRESS: 'badBindAddress',
  BAD_PUBLIC_URL: 'badPublicUrl',
  BAD_PROFILE: 'badProfile',
  BAD_CERTIFICATES: 'badCertificates',
  BAD_SCHEDULE: 'badSchedule',
  NO_PATH: 'noPath',
  NO_SECRET: 'noSecret',
  NO_TLS: 'noTls',
  NO_PROXY: 'noProxy',
  NO_JOURNAL: 'noJournal',
  CANNOT_KEEP: 'noJournal',
  SEVERAL_JOURNALS: 'severalJournals',
  NO_SHARED_SECRET: 'noSecret',
  SUBSCRIBING_ELSEWHERE: 'subscribing',
  STOPPED: 'stopped',
  NO_HTTP_ROOT: 'noHttpRoot',
  TOO_SLOW: 'tooSlow',
  INTAKE_FULL: 'full',
  OUTBOX_FULL: 'full',
  HELD_FULL: 'full',
  BAD_PORT: 'badPort',
  BAD_SENDERS: 'badSenders',
  CANNOT_LISTEN: 'cannotListen',
  NO_HOST: 'noHost',
  NO_FOLDER: 'noFolder',
  FOLDER_AWAY: 'folderAway',
  FOLDER_REFUSED: 'folderRefused',
}
const NETWORK = /^(E[A-Z_]+|HTTP_\d+|ERR_.+|UNABLE_TO_.+|.*CERT.*)$/

export const shownFailure = (code: string): Shown => ({
  tone: 'bad',
  key: FAILURES[code] ?? (NETWORK.test(code) ? 'unreachable' : 'failed'),
})

/** @param answered the HTTP status that the host answered with; undefined when it did not answer */
export const shownRetry = (code: string, answered: number | undefined): Shown =>
  answered === undefined
    ? { tone: 'bad', key: 'retryingAfter', values: { code } }
    : { tone: 'bad', key: 'retryingAnswered', values: { answered } }

/**
 * Shows how many messages are under way, or how many calls wait for the host in the meantime; when no message is, the last result. What
 * is learnt of the connection is shown before the first message, and when it is bad.
 */
export function inFlightStatus(runtime: Runtime, node: RuntimeNode) {
  let count = 0
  let last: Shown | null = null
  let hasResult = false
  let waiting: Queue | null = null
  let retry: Shown | null = null
  let asideCount = 0
  const underWay = (): Shown =>
    waiting ? shownQueue(waiting) : (retry ?? { tone: 'busy', key: 'inFlight', values: { count } })
  const tell = () => show(runtime, node, count > 0 ? underWay() : (shownSetAside(asideCount) ?? last))
  const rest = (shown: Shown) => {
    last = shown
    tell()
  }
  return {
    begin() {
      count += 1
      tell()
    },
    end(result: Shown) {
      count -= 1
      retry = null
      hasResult = true
      rest(result)
    },
    connection(shown: Shown) {
      if (hasResult && shown.tone !== 'bad') return
      hasResult = false
      rest(shown)
    },
    /** Shows why the calls under way are repeated, until one of them ends. */
    retrying(shown: Shown) {
      retry = shown
      if (count > 0) tell()
    },
    setAside(held: number) {
      asideCount = held
      tell()
    },
    queued(queue: Queue | null) {
      waiting = queue
      if (count > 0) tell()
    },
  }
}

/** Null when no message is set aside. */
export const shownSetAside = (count: number): Shown | null =>
  count > 0 ? { tone: 'waiting', key: 'setAside', values: { count } } : null

const shownQueue = ({ reason, count, ms }: Queue): Shown => ({
  tone: 'waiting',
  key: reason === 'rateLimited' ? 'queuedByRate' : 'queuedByHost',
  values: { count, seconds: Math.ceil(ms / 1000) },
})
