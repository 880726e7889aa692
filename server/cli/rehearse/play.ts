/** Plays one scenario: a fresh sandbox and a fresh Node-RED, the flow's inputs fed, and what came of it collected. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '../../../lib/client/client.ts'
import { listAll } from '../../../lib/client/list-all.ts'
import { sandboxCaller } from '../../../lib/client/sandbox-call.ts'
import { EVENT_TYPE } from '../../../lib/contract/callback.ts'
import { isFinal, type Task } from '../../../lib/contract/task/task.ts'
import { createService } from '../../index.ts'
import type { Exchange } from '../../operations/sandbox/traffic/exchange.ts'
import { type Hop, type RehearsalNodeRed, startRehearsalNodeRed, type Witnessed } from './node-red.ts'
import { type FlowNode, organizationOf, rehearsedFlow } from './rehearsed-flow.ts'
import type { RehearsedScenario } from './scenarios.ts'
import type { Evidence } from './verdict.ts'

export interface Stage {
  red: string
  nodes: readonly FlowNode[]
  /** Milliseconds without any traffic after which a flow counts as done. */
  quietMs: number
  /** Milliseconds that a scenario may take. */
  limitMs: number
}

/** The signers of the demo who exist and are active. */
const SIGNERS = ['9999900019', '9999900027', '9999900035']
const LOOK_EVERY_MS = 250
const DAY_SECONDS = 86_400

/** @param wire kills Node-RED once, before a message goes over this wire */
export async function play(
  stage: Stage,
  scenario: RehearsedScenario,
  wire?: Pick<Hop, 'from' | 'to'>,
): Promise<Evidence> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-rehearsal-'))
  const service = await createService({
    port: 0,
    data: ':memory:',
    sandbox: true,
    seed: 'demo',
    allowHttpWebhooks: true,
  })
  await service.start()
  let red: RehearsalNodeRed | undefined
  try {
    const keys = new Map(service.apiKeys.map(({ organization, key }) => [organization, key]))
    const senders = [...new Set(stage.nodes.filter(isService).map(organizationOf))]
    for (const name of senders) if (!keys.has(name)) keys.set(name, await service.issueTemporaryKey(name))
    const planes = senders.map((name) => planeOf(service.baseUrl, keys.get(name) ?? ''))
    for (const plane of planes) await plane.prepare(scenario)

    const port = await freePort()
    red = await startRehearsalNodeRed(stage.red, folder, port)
    const nodeUrl = `http://127.0.0.1:${port}`
    const portFor = await portsFor(stage.nodes)
    const keyOf = (name: string) => keys.get(name) ?? ''
    const flow = rehearsedFlow(stage.nodes, { baseUrl: service.baseUrl, keyOf, nodeUrl, folder, portFor })
    await red.deploy(flow)
    if (wire) red.stopAt(wire)

    let isWaiting = scenario.signer.act === 'wait'
    const quiet = () => untilQuiet(stage, planes, red as RehearsalNodeRed, isWaiting)
    for (const id of buttonsOf(flow)) {
      red.press(id)
      await quiet()
      if (red.isRunning) continue
      await red.restart()
      await quiet()
      // The button is the only copy of its message: as a sender without an answer would, it is pressed once more.
      red.press(id)
      await quiet()
    }
    const forgeries = scenario.isForging ? await forge(flow, nodeUrl, planes, red.witnessed, quiet) : []
    if (scenario.silentDays) for (const plane of planes) await plane.advance(scenario.silentDays * DAY_SECONDS)
    if (scenario.signer.act === 'wait') {
      isWaiting = false
      for (const plane of planes) await plane.script({ act: 'sign', afterSeconds: 0 })
      for (const plane of planes) await plane.advance(1)
      await quiet()
    }
    return {
      scenario: scenario.name,
      flow,
      tasks: await tasksOf(planes),
      requests: await requestsOf(planes),
      witnessed: red.witnessed,
      forgeries,
    }
  } finally {
    await red?.stop()
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the wires over which messages went, without those to nodes that only show or catch. */
export function wiresIn({ flow, witnessed }: Evidence): Pick<Hop, 'from' | 'to'>[] {
  const silent = new Set(flow.filter(({ type }) => ['debug', 'catch', 'status'].includes(type)).map(({ id }) => id))
  const wires = new Map(witnessed.hops.map(({ from, to }) => [`${from} ${to}`, { from, to }]))
  return [...wires.values()].filter(({ from, to }) => !silent.has(from) && !silent.has(to))
}

type Plane = ReturnType<typeof planeOf>

function planeOf(baseUrl: string, apiKey: string) {
  const call = sandboxCaller({ baseUrl, apiKey, proxy: false, timeoutMs: 120_000 })
  const client = createClient({ baseUrl, apiKey, proxy: false })
  const post = (path: string, body: object) => call({ name: path, method: 'POST', path, body })
  const script = async (body: RehearsedScenario['signer']) => {
    for (const npi of SIGNERS) await post(`signers/${npi}`, body)
  }
  return {
    script,
    async prepare({ signer, faults }: RehearsedScenario) {
      // Documents of one sample patient may come under several ids.
      await post('review', { patients: 'none' })
      await script(signer)
      for (const fault of faults) await post('faults', fault)
    },
    async advance(advanceSeconds: number) {
      let at = (await post('clock', { advanceSeconds })) as { reached: boolean }
      while (!at.reached) {
        await pause(LOOK_EVERY_MS)
        at = (await call({ name: 'clock', method: 'GET', path: 'clock' })) as { reached: boolean }
      }
    },
    async requests(): Promise<Exchange[]> {
      const { requests } = (await call({ name: 'requests', method: 'GET', path: 'requests' })) as {
        requests: Exchange[]
      }
      return requests.filter(({ direction }) => direction === 'request')
    },
    async tasks(): Promise<Task[]> {
      const tasks: Task[] = []
      for await (const task of listAll(client)) tasks.push(task)
      return tasks
    },
  }
}

const tasksOf = async (planes: readonly Plane[]): Promise<Task[]> =>
  (await Promise.all(planes.map((plane) => plane.tasks()))).flat()
const requestsOf = async (planes: readonly Plane[]): Promise<Exchange[]> =>
  (await Promise.all(planes.map((plane) => plane.requests()))).flat()

/** Resolves when neither Node-RED nor the sandbox has had anything to do for a while, when the process has ended, or at the limit. */
async function untilQuiet(
  { quietMs, limitMs }: Stage,
  planes: readonly Plane[],
  red: RehearsalNodeRed,
  isWaiting: boolean,
): Promise<void> {
  const end = performance.now() + limitMs
  let [seen, since] = ['', performance.now()]
  while (red.isRunning && performance.now() < end && performance.now() - since < quietMs) {
    await pause(LOOK_EVERY_MS)
    const tasks = await tasksOf(planes)
    const { hops, logged, shown } = red.witnessed
    const statuses = tasks.map(({ taskId, status, output }) => [taskId, status, output?.externalSavedDocumentId])
    const isUnderWay = tasks.some(({ status }) => !isFinal(status) && !(isWaiting && status === 'Pending'))
    const now = JSON.stringify([hops.length, logged.length, shown.length, statuses])
    if (now !== seen || isUnderWay) since = performance.now()
    seen = now
  }
}

/** What only a verified webhook may lead to. */
const ACTS = new Set(['countersign-record', 'countersign-download', 'countersign-retract', 'countersign-done'])

/** Posts unsigned news of an open task to each input that answers HTTP; it acted if the message reached a node that acts on tasks. */
async function forge(
  flow: readonly FlowNode[],
  nodeUrl: string,
  planes: readonly Plane[],
  { hops }: Witnessed,
  quiet: () => Promise<void>,
): Promise<Evidence['forgeries']> {
  const actors = new Set(flow.filter(({ type }) => ACTS.has(type)).map(({ id }) => id))
  const open = (await tasksOf(planes)).find(({ status }) => !isFinal(status))
  if (!open) return []
  const { taskId } = open
  const forgeries: { node: string; taskId: number; acted: boolean }[] = []
  for (const { id, type, path, url } of flow.filter(isPosted)) {
    const before = hops.length
    const event = { eventId: `forged-${taskId}`, eventType: EVENT_TYPE, taskId, status: 'Completed' }
    const occurredAtUtc = new Date().toISOString()
    await fetch(`${nodeUrl}/${String(type === 'http in' ? url : path).replace(/^\/+/, '')}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...event, documentId: null, statusReason: null, occurredAtUtc }),
      signal: AbortSignal.timeout(5000),
    }).catch(() => undefined)
    await quiet()
    const made = hops.slice(before)
    const messages = new Set(made.filter(({ from }) => from === id).map(({ message }) => message))
    forgeries.push({ node: id, taskId, acted: made.some(({ to, message }) => actors.has(to) && messages.has(message)) })
  }
  return forgeries
}

const isPosted = ({ type, method }: FlowNode) =>
  type === 'countersign-webhook-in' || (type === 'http in' && method === 'post')
const isService = ({ type }: FlowNode) => type === 'countersign-service'

/** Returns the inject nodes in the order in which a person reads them: by tab, then from top to bottom. */
function buttonsOf(flow: readonly FlowNode[]): string[] {
  const tabs = flow.filter(({ type }) => type === 'tab').map(({ id }) => id)
  const place = ({ z, y }: FlowNode) => tabs.indexOf(String(z)) * 1_000_000 + Number(y)
  return flow
    .filter(({ type, d }) => type === 'inject' && d !== true)
    .toSorted((one, other) => place(one) - place(other))
    .map(({ id }) => id)
}

/** Returns a free port for each that the export listens at. */
async function portsFor(nodes: readonly FlowNode[]): Promise<(port: string) => string> {
  const named = nodes.filter(({ type }) => type.startsWith('countersign-mllp')).map(({ port }) => String(port))
  const free = new Map<string, string>()
  for (const port of named) if (!free.has(port)) free.set(port, String(await freePort()))
  return (port) => free.get(port) ?? port
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
