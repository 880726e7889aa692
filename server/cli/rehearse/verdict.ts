/** Judges what a scenario showed: each invariant that does not hold becomes a sentence that names a node and the scenario. */
import { isFinal, type Task } from '../../../lib/contract/task/task.ts'
import type { Exchange } from '../../operations/sandbox/traffic/exchange.ts'
import type { Witnessed } from './node-red.ts'
import { type FlowNode, nameOf } from './rehearsed-flow.ts'

export interface Evidence {
  scenario: string
  flow: readonly FlowNode[]
  tasks: readonly Task[]
  /** What the flow asked the sandbox. */
  requests: readonly Exchange[]
  witnessed: Witnessed
  /** The inputs that accepted a forged webhook about a task, with a 2xx. */
  forgeries: readonly { node: string; taskId: number; acted: boolean }[]
}

export type Invariant =
  | 'one task'
  | 'recorded once'
  | 'nothing stuck'
  | 'no patient data'
  | 'errors caught'
  | 'verified'
export interface Failure {
  invariant: Invariant
  sentence: string
}

export const invariants: Readonly<Record<Invariant, string>> = {
  'one task': 'Each document is one task',
  'recorded once': 'Each outcome is recorded once',
  'nothing stuck': 'No document is stuck',
  'errors caught': 'Each error is caught',
  verified: 'Forged webhooks change nothing',
  'no patient data': 'No patient data in a log or debug',
}

export function failuresIn(evidence: Evidence): Failure[] {
  return (Object.keys(invariants) as Invariant[]).flatMap((invariant) =>
    [...new Set(CHECKS[invariant](evidence))].map((text) => ({
      invariant,
      sentence: `${text} in the scenario “${evidence.scenario}”.`,
    })),
  )
}

const CHECKS: Readonly<Record<Invariant, (evidence: Evidence) => string[]>> = {
  'one task': (evidence) =>
    [...new Set(evidence.tasks.map(({ externalDocId }) => externalDocId))]
      .map((id) => evidence.tasks.filter((task) => task.externalDocId === id && isStanding(task)))
      .filter((tasks) => tasks.length > 1)
      .map((tasks) => `${senderOf(evidence, tasks[0]!.taskId)} sent one document as ${tasks.length} tasks`),

  'recorded once': (evidence) =>
    evidence.tasks.flatMap(({ taskId, status }) => {
      const ids = savedIds(evidence.requests, taskId)
      if (ids.size > 1)
        return [`${recorderOf(evidence)} recorded the outcome of a task under ${ids.size} different ids`]
      if (status !== 'Completed' || ids.size === 1) return []
      return [`The outcome Completed was not recorded after ${lastOf(evidence, taskId)}`]
    }),

  'nothing stuck': (evidence) =>
    evidence.tasks.flatMap(({ taskId, status }) => {
      if (!isFinal(status)) return [`A task stayed ${status} after ${lastOf(evidence, taskId)}`]
      const isKnown = status === 'Retracted' || savedIds(evidence.requests, taskId).size > 0
      const hasArrived = evidence.witnessed.hops.some((hop) => hop.taskId === taskId && hop.status === status)
      return isKnown || hasArrived ? [] : [`The outcome ${status} led nowhere after ${lastOf(evidence, taskId)}`]
    }),

  'errors caught': ({ flow, witnessed }) => {
    const names = namesIn(flow)
    const isUncaught = (node: string) => names.has(node) && !witnessed.caught.includes(node)
    return witnessed.logged
      .filter(({ isError, node }) => isError && isUncaught(node) && wasReached(witnessed, node))
      .map(({ node }) => `No catch node received the error of ${names.get(node)}`)
  },

  verified: ({ flow, forgeries }) =>
    forgeries.filter(({ acted }) => acted).map(({ node }) => `${namesIn(flow).get(node)} let a forged webhook pass`),

  'no patient data': ({ flow, requests, witnessed }) => {
    const names = namesIn(flow)
    const wanted = patientTexts(requests)
    const isNamed = (text: string) => wanted.some((one) => text.includes(one))
    const logged = witnessed.logged.filter(({ text }) => isNamed(text))
    const shown = witnessed.shown.filter(({ text }) => isNamed(text))
    return [
      ...logged.map(({ node }) => `${names.get(node) ?? 'Node-RED'} wrote patient data into the log`),
      ...shown.map(({ node }) => `${names.get(node) ?? 'A node'} showed patient data`),
    ]
  },
}

const isStanding = ({ status, externalDocId }: Task) => externalDocId && status !== 'Failed' && status !== 'Retracted'
const namesIn = (flow: readonly FlowNode[]) => new Map(flow.map((node) => [node.id, nameOf(node)]))

/** Only an error about a message can be caught; one of the start of a node has no message. */
const wasReached = ({ hops }: Witnessed, node: string) => hops.some(({ to }) => to === node)

function senderOf({ flow, witnessed }: Evidence, taskId: number): string {
  const first = witnessed.hops.find((hop) => hop.taskId === taskId)
  return namesIn(flow).get(first?.from ?? '') ?? creatorOf(flow)
}

/** A task that no message ever named was created by a request whose answer did not reach the flow. */
function creatorOf(flow: readonly FlowNode[]): string {
  const creators = flow.filter(({ type }) => type === 'countersign-create-task')
  const raw = flow.filter(({ type, url }) => type === 'http request' && /\/signature\/tasks\/?$/.test(String(url)))
  const creator = [...raw, ...creators][0]
  return creator ? nameOf(creator) : 'the flow'
}

/** Returns the node at which a task was seen last, so that people know where to look. */
function lastOf({ flow, witnessed }: Evidence, taskId: number): string {
  const hops = witnessed.hops.filter((hop) => hop.taskId === taskId)
  const isPlain = (id: string) => flow.some((node) => node.id === id && node.type === 'debug')
  const last = hops.findLast(({ to }) => !isPlain(to)) ?? hops.at(-1)
  return namesIn(flow).get(last?.to ?? '') ?? creatorOf(flow)
}

function recorderOf({ flow }: Evidence): string {
  const record = flow.find(({ type }) => type === 'countersign-record')
  return record ? nameOf(record) : 'The flow'
}

/** A request whose answer was lost counts as well: the host did what it asked. */
function savedIds(requests: readonly Exchange[], taskId: number): Set<string> {
  const saved = requests
    .filter(({ operation, status }) => operation === 'updateTask' && (status === null || status < 400))
    .map(({ url }) => new URL(url, 'http://sandbox'))
    .filter(({ pathname }) => pathname.endsWith(`/${taskId}`))
    .map(({ searchParams }) => searchParams.get('externalSavedDocumentId'))
  return new Set(saved.filter((id) => id !== null))
}

const SHORTEST = 4

/** Returns the names, birth dates and identifiers that the flow sent: nothing that it prints may hold them. */
function patientTexts(requests: readonly Exchange[]): string[] {
  const bodies = requests.filter(({ operation }) => operation === 'createTask').map(({ requestBody }) => requestBody)
  const texts = bodies.flatMap((body) =>
    [...body.matchAll(/"(?:family|birthDate|line|value)"\s*:\s*"([^"\\]+)"/g)].map(([, text]) => text ?? ''),
  )
  return [...new Set(texts)].filter((text) => text.length >= SHORTEST)
}
