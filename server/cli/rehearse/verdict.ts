/** Judges what a scenario showed: each invariant that does not hold becomes a sentence that names a node and the scenario. */
import { isFinal } from '../../../lib/contract/task/task.ts'
import type { Exchange } from '../../operations/sandbox/traffic/exchange.ts'
import type { Witnessed } from './node-red.ts'
import { type FlowNode, namesIn } from './rehearsed-flow.ts'
import { KILLED } from './scenarios.ts'
import type { SeenTask } from './world.ts'

export interface Evidence {
  scenario: string
  /** The folder of the files of this play. */
  folder: string
  flow: readonly FlowNode[]
  tasks: readonly SeenTask[]
  /** Requests of the flow, and webhooks to it. */
  exchanges: readonly Exchange[]
  witnessed: Witnessed
  /** The inputs to which forged webhooks were posted, and whether one led to an act. */
  forgeries: readonly { node: string; acted: boolean }[]
  /** The inputs in the order in which they were fed, and how many tasks each led to. */
  fed: { node: string; tasks: number; wasKilled: boolean }[]
  /** Whether the flow came to rest each time; if not, nothing else can be said of it. */
  isEnded: boolean
}

export type Invariant = keyof typeof invariants

export interface Failure {
  invariant: Invariant
  /** Names the node, without the scenario. */
  text: string
}

export const invariants = {
  'one task': 'Each document is one task',
  'recorded once': 'Each outcome is recorded once',
  'nothing stuck': 'No document is stuck',
  'errors caught': 'Each error is caught',
  verified: 'Forged webhooks change nothing',
  'no patient data': 'No patient data in a log or debug',
} as const

export const sentenceOf = ({ text }: Pick<Failure, 'text'>, scenario: string): string =>
  scenario.startsWith(KILLED) ? `${text} when Node-RED was ${scenario}.` : `${text} in the scenario “${scenario}”.`

/** A play to compare with. */
export interface Comparison {
  /** The play in which all was well. */
  calm: Evidence
  /** Whether the flow must lead to as many tasks as in that play. */
  isLossless: boolean
  /** Whether the flow got the same messages as in that play, and kept its context. */
  isRepetition: boolean
}

/** @param comparison null for the play in which all is well */
export function failuresIn(evidence: Evidence, comparison: Comparison | null): Failure[] {
  if (!evidence.isEnded) return [{ invariant: 'nothing stuck', text: stillWorking(evidence) }]
  return (Object.keys(CHECKS) as Invariant[]).flatMap((invariant) =>
    [...new Set(CHECKS[invariant](evidence, comparison))].map((text) => ({ invariant, text })),
  )
}

/** Returns what kept every order back in the play in which all is well; empty where no node of the flow reported an error. */
export function keptBack({ flow, witnessed }: Evidence): Failure[] {
  const ids = new Set(flow.map(({ id }) => id))
  const nodes = witnessed.logged.filter(({ isError, node }) => isError && ids.has(node)).map(({ node }) => node)
  const texts = nodes.map((node) => `No order reached the sandbox after an error of ${namesIn(flow)(node)}`)
  return [...new Set(texts)].map((text) => ({ invariant: 'nothing stuck', text }))
}

function stillWorking({ flow, witnessed }: Evidence): string {
  const last = witnessed.hops.at(-1)
  return `The flow did not come to rest in five minutes after ${last ? namesIn(flow)(last.to) : 'its start'}`
}

/** Whether the flow took up the outcome of a task: it recorded it, or a message with the outcome came out of a node. */
export const isTakenUp = (task: SeenTask, { hops }: Witnessed): boolean =>
  task.isRecorded ||
  task.status === 'Retracted' ||
  hops.some(({ taskId, status }) => taskId === task.taskId && status === task.status)

type Check = (evidence: Evidence, comparison: Comparison | null) => string[]

const CHECKS: Readonly<Record<Invariant, Check>> = {
  'one task': (evidence, comparison) => [
    ...sameDocument(evidence),
    ...(comparison ? moreTasks(evidence, comparison) : []),
  ],

  'recorded once'(evidence, comparison) {
    const { tasks, witnessed } = evidence
    const unrecorded = tasks
      .filter(({ status, isRecorded }) => status === 'Completed' && !isRecorded)
      .filter((task) => isTakenUp(task, witnessed))
      .map((task) => `The outcome Completed was not recorded after ${lastOf(evidence, task)}`)
    const several = tasks
      .filter(({ taskId }) => savedIds(evidence, taskId).size > 1)
      .map(({ taskId }) => `${recorderOf(evidence, taskId)} recorded one outcome under several ids`)
    return [...unrecorded, ...several, ...(comparison?.isRepetition ? otherIds(evidence, comparison.calm) : [])]
  },

  'nothing stuck': (evidence, comparison) => [
    ...evidence.tasks.flatMap((task) => {
      if (!isFinal(task.status)) return [`A task stayed ${task.status} after ${lastOf(evidence, task)}`]
      if (isTakenUp(task, evidence.witnessed)) return []
      return [`The outcome ${task.status} led nowhere after ${lastOf(evidence, task)}`]
    }),
    ...(comparison ? fewerTasks(evidence, comparison) : []),
  ],

  'errors caught'({ flow, witnessed }) {
    const ids = new Set(flow.map(({ id }) => id))
    const isUncaught = (node: string) => ids.has(node) && !witnessed.caught.includes(node)
    return witnessed.logged
      .filter(({ isError, node }) => isError && isUncaught(node) && wasReached(witnessed, node))
      .map(({ node }) => `No catch node received the error of ${namesIn(flow)(node)}`)
  },

  verified: ({ flow, forgeries, exchanges }) => [
    ...forgeries.filter(({ acted }) => acted).map(({ node }) => `${namesIn(flow)(node)} let a forged webhook pass`),
    ...exchanges.filter(isForgedAndAccepted).map(({ url }) => `${receiverAt(flow, url)} let a forged webhook pass`),
  ],

  'no patient data'({ flow, exchanges, witnessed }) {
    const name = namesIn(flow)
    const wanted = patientTexts(exchanges)
    const isNamed = ({ text }: { text: string }) => wanted.some((one) => text.includes(one))
    const ids = new Set(flow.map(({ id }) => id))
    return [
      ...witnessed.logged
        .filter(isNamed)
        .map(({ node }) => `${ids.has(node) ? name(node) : 'Node-RED'} wrote patient data into the log`),
      ...witnessed.shown.filter(isNamed).map(({ node }) => `${name(node)} showed patient data`),
    ]
  },
}

/** A failed or retracted document may be sent again under its id. */
function sameDocument(evidence: Evidence): string[] {
  const current = evidence.tasks.filter(
    ({ status, externalDocId }) => externalDocId && status !== 'Failed' && status !== 'Retracted',
  )
  return current
    .filter((task, index) => current.findIndex(({ externalDocId }) => externalDocId === task.externalDocId) < index)
    .map((task) => `${senderOf(evidence, task)} sent one document as several tasks`)
}

/** Returns the inputs that led to other numbers of tasks than when all was well, with the difference. */
function differences({ fed }: Evidence, { calm, isLossless }: Comparison) {
  return fed.flatMap(({ node, tasks, wasKilled }, index) => {
    const before = calm.fed[index]
    return before?.node === node && (isLossless || wasKilled) ? [{ index, more: tasks - before.tasks }] : []
  })
}

function moreTasks(evidence: Evidence, comparison: Comparison): string[] {
  return differences(evidence, comparison)
    .filter(({ more }) => more > 0)
    .map(({ index }) => `${senderOf(evidence, newestOf(evidence, index))} sent one document as several tasks`)
}

function fewerTasks(evidence: Evidence, comparison: Comparison): string[] {
  return differences(evidence, comparison)
    .filter(({ more }) => more < 0)
    .map(({ index }) => `A document was lost after ${lastHopOf(evidence, index)}`)
}

const newestOf = ({ tasks, fed }: Evidence, index: number): SeenTask | undefined =>
  tasks[fed.slice(0, index + 1).reduce((sum, one) => sum + one.tasks, 0) - 1]

/** Returns where the message of an input was seen last. */
function lastHopOf({ flow, fed, witnessed }: Evidence, index: number): string {
  const node = fed[index]?.node ?? ''
  const messages = new Set(witnessed.hops.filter(({ from }) => from === node).map(({ message }) => message))
  const last = witnessed.hops.findLast(({ message, to }) => messages.has(message) && !isSilent(flow, to))
  return namesIn(flow)(last?.to ?? node)
}

const isSilent = (flow: readonly FlowNode[], id: string) =>
  flow.some((node) => node.id === id && ['debug', 'catch', 'status', 'complete'].includes(node.type))

/** The same message of a sender must be recorded under the same id, or a later look for it would miss it. */
function otherIds(evidence: Evidence, calm: Evidence): string[] {
  return evidence.tasks.flatMap((task, index) => {
    const other = calm.tasks.find(({ externalDocId }) => externalDocId === task.externalDocId) ?? calm.tasks[index]
    if (!other) return []
    const [now, before] = [savedIds(evidence, task.taskId), savedIds(calm, other.taskId)]
    if (now.size === 0 || before.size === 0 || [...now].some((id) => before.has(id))) return []
    return [`${recorderOf(evidence, task.taskId)} recorded the same document under another id than before`]
  })
}

/** Only an error about a message can be caught; one of the start of a node has no message. */
const wasReached = ({ hops }: Witnessed, node: string) => hops.some(({ to }) => to === node)

const FORGERIES = new Set(['wrong-signature', 'old-timestamp', 'changed-body'])
const isForgedAndAccepted = ({ direction, fault, status }: Exchange) =>
  direction === 'webhook' && fault !== null && FORGERIES.has(fault) && status !== null && status < 300

function receiverAt(flow: readonly FlowNode[], url: string): string {
  const path = new URL(url).pathname
  const isAt = (value: unknown) => typeof value === 'string' && `/${value.replace(/^\/+/, '')}` === path
  const node = flow.find(
    ({ type, path: own, url: address }) =>
      (type === 'countersign-webhook-in' && isAt(own)) || (type === 'http in' && isAt(address)),
  )
  return node ? namesIn(flow)(node.id) : 'A receiver'
}

function senderOf({ flow, witnessed }: Evidence, task: SeenTask | undefined): string {
  const first = witnessed.hops.find(({ taskId }) => taskId === task?.taskId)
  return first ? namesIn(flow)(first.from) : creatorOf(flow)
}

/** A task that no message ever named was created by a request whose answer did not reach the flow. */
function creatorOf(flow: readonly FlowNode[]): string {
  const creators = flow.filter(({ type }) => type === 'countersign-create-task')
  const raw = flow.filter(({ type, url }) => type === 'http request' && /\/signature\/tasks\/?$/.test(String(url)))
  const creator = [...raw, ...creators][0]
  return creator ? namesIn(flow)(creator.id) : 'the flow'
}

/** Returns the node at which a task was seen last, so that people know where to look. */
function lastOf({ flow, witnessed }: Evidence, { taskId }: SeenTask): string {
  const hops = witnessed.hops.filter((hop) => hop.taskId === taskId)
  const last = hops.findLast(({ to }) => !isSilent(flow, to))?.to ?? hops.at(-1)?.from
  return last === undefined ? creatorOf(flow) : namesIn(flow)(last)
}

function recorderOf({ flow, witnessed }: Evidence, taskId: number): string {
  const recorders = flow.filter(({ type }) => type === 'countersign-record')
  const reached = recorders.find(({ id }) => witnessed.hops.some((hop) => hop.to === id && hop.taskId === taskId))
  const recorder = reached ?? recorders[0]
  return recorder ? namesIn(flow)(recorder.id) : 'The flow'
}

/** A request whose answer was lost counts as well: the host did what it asked. */
function savedIds({ exchanges, folder }: Evidence, taskId: number): Set<string> {
  const saved = exchanges
    .filter(({ operation, status }) => operation === 'updateTask' && (status === null || status < 400))
    .map(({ url }) => new URL(url, 'http://sandbox'))
    .filter(({ pathname }) => pathname.endsWith(`/${taskId}`))
    .map(({ searchParams }) => searchParams.get('externalSavedDocumentId'))
  // Each play has a folder of its own, and paths of files are good ids.
  return new Set(saved.flatMap((id) => (id === null ? [] : [id.replaceAll(folder, '')])))
}

const SHORTEST = 4

/** Returns the names, birth dates and identifiers that the flow sent: nothing that it prints may contain them. */
function patientTexts(exchanges: readonly Exchange[]): string[] {
  const bodies = exchanges.filter(({ operation }) => operation === 'createTask').map(({ requestBody }) => requestBody)
  const texts = bodies.flatMap((body) =>
    [...body.matchAll(/"(?:family|birthDate|line|value)"\s*:\s*"([^"\\]+)"/g)].map(([, text]) => text ?? ''),
  )
  return [...new Set(texts)].filter((text) => text.length >= SHORTEST)
}
