/** Plays one scenario: a fresh sandbox, the flow in a Node-RED, its inputs fed, and what came of it collected. */
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isFinal } from '../../../lib/contract/task/task.ts'
import { feedsOf } from './feeds.ts'
import { forge } from './forge.ts'
import { freePort } from './free-port.ts'
import { type RehearsalNodeRed, startRehearsalNodeRed, type Wire, type Witnessed } from './node-red.ts'
import { enabledNodes, type FlowNode, organizationOf, rehearsedFlow } from './rehearsed-flow.ts'
import { type RehearsedScenario, SIGNS } from './scenarios.ts'
import { type Evidence, isTakenUp } from './verdict.ts'
import { openWorld, type SharedPool, type World } from './world.ts'

/** A place where scenarios are played one after another: one Node-RED, and a folder. */
export interface Stage {
  red: RehearsalNodeRed
  folder: string
  /** Files of the caller in place of the samples. */
  messages: readonly string[]
  pool: SharedPool
}

/**
 * How long a flow is watched. Each look waits for an answer of Node-RED, so that looks take longer on a slow machine, and a flow is
 * not taken for one that is done because its process had no turn.
 */
interface Patience {
  /** Looks without anything new after which a flow that took up every outcome counts as done. */
  settledLooks: number
  /** Looks without anything new after which an outcome that is not taken up counts as lost. */
  lostLooks: number
  /** Milliseconds after which a flow that is still at work is given up. */
  limitMs: number
}

const PATIENCE: Patience = { settledLooks: 7, lostLooks: 45, limitMs: 300_000 }

const LOOK_EVERY_MS = 200
const MOST_RESENT = 3
const DAY_SECONDS = 86_400

/** @param red the path of Node-RED's main module */
export async function openStage(red: string, { folder, ...rest }: Omit<Stage, 'red'>): Promise<Stage> {
  const userDir = await mkdtemp(join(folder, 'node-red-'))
  return { red: await startRehearsalNodeRed(red, userDir, await freePort()), folder, ...rest }
}

/** @param wire kills Node-RED once, before a message goes over this wire */
export async function play(
  stage: Stage,
  nodes: readonly FlowNode[],
  scenario: RehearsedScenario,
  wire: Wire | null = null,
): Promise<Evidence> {
  const { red, messages, pool } = stage
  const folder = await mkdtemp(join(stage.folder, 'files-'))
  const services = enabledNodes(nodes).filter(({ type }) => type === 'countersign-service')
  const world = await openWorld([...new Set(services.map(organizationOf))], scenario, pool)
  const ended = new AbortController()
  try {
    const nodeUrl = `http://127.0.0.1:${red.port}`
    const ports = await portsIn(nodes)
    const portFor = (port: string) => ports.get(port) ?? port
    const flow = rehearsedFlow(nodes, { baseUrl: world.baseUrl, keyOf: world.keyOf, nodeUrl, folder, portFor })
    const reachable = [Number(new URL(world.baseUrl).port), red.port, ...[...ports.values()].map(Number)]
    await red.deploy(flow, { ports: reachable, folder, aheadMs: 0 }, scenario.isRepetition === true)
    await red.stopAt(wire)

    let isWaiting = scenario.signer.act === 'wait'
    const rejectedIn = (tasks: Evidence['tasks']) => tasks.filter(({ status }) => status === 'Rejected').length
    let rejectedBefore = 0
    const onTasks = async (tasks: Evidence['tasks']) => {
      if (scenario.signsLater && rejectedIn(tasks) > rejectedBefore) await world.script(SIGNS)
    }
    let isEnded = true
    const quiet = async (lostLooks = PATIENCE.lostLooks) => {
      const patience = { ...PATIENCE, lostLooks }
      isEnded = (await untilQuiet({ patience, world, flow, red, isWaiting: () => isWaiting, onTasks })) && isEnded
    }
    await quiet()
    const fed: Evidence['fed'] = []
    const feeds = feedsOf(flow, { red, nodeUrl, folder, messages, signal: ended.signal })
    const asking = feeds.filter(({ node }) => asksForOutcomes(flow, node))
    const askAgain = async () => {
      for (const feed of asking) await feed.give()
      if (asking.length > 0) await quiet()
    }
    for (const feed of feeds) {
      const before = (await world.tasks()).length
      const came = async () => (await world.tasks()).length > before
      if (scenario.signsLater) {
        rejectedBefore = rejectedIn(await world.tasks())
        await world.script(scenario.signer)
      }
      let given = await feed.give()
      await quiet()
      // A sender without an answer sends again, and a person presses again, as long as nothing came of it.
      for (let left = scenario.isLossless ? MOST_RESENT : 0; left > 0; left--) {
        if (given.isAccepted || !red.witnessed.caught.length || (await came())) break
        given = await feed.give()
        await quiet()
      }
      const wasKilled = !red.isRunning
      if (wasKilled) {
        await red.restart()
        await quiet(PATIENCE.lostLooks / 3)
        const isDone =
          given.isAccepted || ((await came()) && isAllTakenUp(await world.tasks(), red.witnessed, isWaiting))
        if (!isDone) await feed.give()
        await quiet()
      }
      fed.push({ node: feed.node, tasks: (await world.tasks()).length - before, wasKilled })
      if (wasKilled) break
    }
    if (fed.length < feeds.length) await askAgain()
    if (feeds.length === 0 && services.length > 0) await world.sendSample().then(() => quiet())
    if (scenario.isReviewed) {
      await world.decideReviews()
      await quiet()
      await askAgain()
    }
    const forgeries = scenario.isForging ? await forge({ flow, nodeUrl, world, red, quiet }) : []
    if (scenario.silentDays) {
      await red.setAhead(scenario.silentDays * DAY_SECONDS * 1000)
      await world.advance(scenario.silentDays * DAY_SECONDS)
      await quiet()
      await askAgain()
    }
    if (isWaiting) {
      isWaiting = false
      await world.script(SIGNS)
      await world.advance(1)
      await quiet()
      await askAgain()
    }
    const tasks = await world.tasks()
    return {
      scenario: scenario.name,
      folder,
      flow,
      tasks,
      exchanges: await world.exchanges(),
      witnessed: red.witnessed,
      forgeries,
      fed,
      isEnded,
    }
  } finally {
    ended.abort()
    // The clock of a process does not go back.
    if (scenario.silentDays) await red.stop()
    await world.stop()
  }
}

/** Whether what enters at the node asks what became of orders, which a person does again once there is something to find. */
function asksForOutcomes(flow: readonly FlowNode[], start: string): boolean {
  const nodes = new Map(flow.map((node) => [node.id, node]))
  const reached = new Set([start])
  for (const id of reached) for (const next of (nodes.get(id)?.wires ?? []).flat()) reached.add(next)
  const types = new Set([...reached].map((id) => nodes.get(id)?.type))
  return types.has('countersign-reconcile') && !types.has('countersign-create-task')
}

/** Nodes that only show or catch: nothing is lost between another node and one of them. */
const SILENT = new Set(['debug', 'catch', 'status', 'complete'])

/** Returns the wires over which messages went, without those to nodes that only show. */
export function wiresIn({ flow, witnessed }: Evidence): Wire[] {
  const silent = new Set(flow.filter(({ type }) => SILENT.has(type)).map(({ id }) => id))
  const wires = new Map(witnessed.hops.map(({ from, to }) => [`${from} ${to}`, { from, to }]))
  return [...wires.values()].filter(({ from, to }) => !silent.has(from) && !silent.has(to))
}

const isAllTakenUp = (tasks: Evidence['tasks'], witnessed: Witnessed, isWaiting: boolean): boolean =>
  tasks.every((task) => (isFinal(task.status) ? isTakenUp(task, witnessed) : isWaiting || task.inReview))

interface Watched {
  patience: Patience
  world: World
  flow: readonly FlowNode[]
  red: RehearsalNodeRed
  isWaiting: () => boolean
  /** Called with the tasks at each look. */
  onTasks: (tasks: Evidence['tasks']) => Promise<void>
}

/** Nodes of this package that keep a message until something else happens. */
const KEEPING = new Set(['countersign-wait', 'countersign-overdue', 'countersign-held'])
/** Whether a message is done with when the node says so. Not all nodes of Node-RED say so. */
const saysDone = ({ type }: FlowNode) =>
  ['http request', 'file', 'file in'].includes(type) || (type.startsWith('countersign-') && !KEEPING.has(type))

/**
 * Resolves when neither Node-RED nor the sandbox has had anything to do for a while, or when the process has ended, and with false
 * when both are still at work at the limit. A flow
 * that has not taken up an outcome gets longer, so that a slow machine does not make it look lost.
 */
async function untilQuiet({ patience, world, flow, red, isWaiting, onTasks }: Watched): Promise<boolean> {
  const { settledLooks, lostLooks, limitMs } = patience
  const working = flow.filter(saysDone).map(({ id }) => id)
  const end = performance.now() + limitMs
  let [seen, looks] = ['', 0]
  for (;;) {
    await pause(LOOK_EVERY_MS)
    await red.turn()
    const now = performance.now()
    if (!red.isRunning) return true
    if (now >= end) return false
    const [tasks, webhooks] = await Promise.all([world.tasks(), world.untriedWebhooks()])
    await onTasks(tasks)
    const { hops, working: counts } = red.witnessed
    // Statuses and logs do not count: an outcome that leads nowhere is repeated, and shown, without end.
    const state = JSON.stringify([hops.length, tasks])
    const isAtWork =
      webhooks > 0 ||
      working.some((id) => (counts.get(id) ?? 0) > 0) ||
      tasks.some(({ status, inReview }) => !isFinal(status) && !inReview && !(isWaiting() && status === 'Pending'))
    looks = state !== seen || isAtWork ? 0 : looks + 1
    seen = state
    const isSettled = isAllTakenUp(tasks, red.witnessed, isWaiting())
    if (looks >= (isSettled ? settledLooks : lostLooks)) return true
  }
}

/** Returns a free port for each one that the flow names. */
async function portsIn(nodes: readonly FlowNode[]): Promise<Map<string, string>> {
  const named = nodes.filter(({ type }) => type === 'countersign-mllp-in' || type === 'countersign-mllp-out')
  const ports = new Map<string, string>()
  for (const { port } of named) if (!ports.has(String(port))) ports.set(String(port), String(await freePort()))
  return ports
}
