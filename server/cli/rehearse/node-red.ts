/** The Node-RED of a rehearsal: a process of its own, with a fresh user directory and a witness inside. It serves many scenarios. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fileAt, isBuilt } from '../../../lib/places.ts'
import { CommandError } from '../command/command-error.ts'
import { type FlowNode, typesIn } from './rehearsed-flow.ts'

export interface Hop {
  from: string
  to: string
  /** The id that Node-RED gave the message. */
  message: string
  taskId: number | null
  status: string | null
}
export type Wire = Pick<Hop, 'from' | 'to'>

export interface Witnessed {
  hops: Hop[]
  /** The nodes whose errors a catch node received. */
  caught: string[]
  /** Texts that a debug node or the status of a node showed. */
  shown: { node: string; text: string }[]
  logged: { node: string; isError: boolean; text: string }[]
  /** Attempts to reach something outside of the rehearsal. */
  refused: { node: string; what: string }[]
  /** How many messages each node is working on. */
  working: Map<string, number>
}

/** The limits of the process while it plays a scenario. */
export interface Limits {
  /** The ports of this machine that it may call. */
  ports: readonly number[]
  /** The folder where it runs, in which relative paths begin. */
  folder: string
  /** How far its clock is ahead, in milliseconds. */
  aheadMs: number
}

export interface RehearsalNodeRed {
  readonly port: number
  readonly witnessed: Witnessed
  readonly isRunning: boolean
  /** Removes the flows of the scenario before, and starts these with nothing witnessed. */
  deploy(flow: readonly FlowNode[], limits: Limits, keepsContext: boolean): Promise<void>
  /** Presses the button of an inject node; the message has this id. */
  press(id: string, message: string): Promise<void>
  /** Resolves once the process has had a turn and all that it reported before has arrived, or once it has ended. */
  turn(): Promise<void>
  /** Kills the process just before a message goes over this wire. */
  stopAt(wire: Wire | null): Promise<void>
  setAhead(aheadMs: number): Promise<void>
  /** Starts the process again on the same directory. */
  restart(): Promise<void>
  stop(): Promise<void>
}

const PACKAGE = '@countersign/node-red-document-signature'
const root = fileURLToPath(fileAt(isBuilt ? '../' : ''))

/** @param folder of the user's installation; the one next to this package when undefined */
export function redOf(folder: string | undefined): string {
  for (const place of folder === undefined ? [process.cwd(), root] : [folder])
    for (const name of ['node-red/red.js', './red.js']) {
      try {
        return createRequire(join(place, 'package.json')).resolve(name)
      } catch {
        // The next place is tried.
      }
    }
  throw new CommandError('--node-red: Node-RED was not found; give the folder in which it is installed.')
}

const nothingWitnessed = (): Witnessed => ({
  hops: [],
  caught: [],
  shown: [],
  logged: [],
  refused: [],
  working: new Map(),
})

export async function startRehearsalNodeRed(red: string, userDir: string, port: number): Promise<RehearsalNodeRed> {
  let witnessed = nothingWitnessed()
  let limits: Limits = { ports: [], folder: userDir, aheadMs: 0 }
  await prepare(userDir, port)
  const start = () => started({ red, userDir, limits, see: (seen) => note(witnessed, seen) })
  let child = await start()
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const ask = async (asked: object) => {
    if (!isRunning()) return
    const done = heard(child, 'done')
    // A process that has just been killed takes no message; its end is what is waited for then.
    child.send(asked, () => {})
    await done
  }
  async function deployed(flow: readonly FlowNode[]): Promise<void> {
    const begun = heard(child, 'started')
    const answer = await fetch(`http://127.0.0.1:${port}/flows`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'Node-RED-Deployment-Type': 'full' },
      body: JSON.stringify(flow),
    })
    if (!answer.ok) throw new CommandError(`Node-RED refused the flows with ${answer.status}.`)
    await begun
  }
  return {
    port,
    get witnessed() {
      return witnessed
    },
    get isRunning() {
      return isRunning()
    },
    async deploy(flow, given, keepsContext) {
      if (!isRunning()) child = await start()
      await checkTypes(port, flow)
      if (!keepsContext) await deployed([])
      limits = given
      await ask({ limits })
      witnessed = nothingWitnessed()
      await deployed(flow)
      const any = flow.find(({ wires }) => wires !== undefined)
      if (any && !keepsContext) await ask({ forgetGlobalsOf: any.id })
    },
    // The process may be killed by what it does then.
    press: (id, message) => ask({ press: { id, message } }).catch(() => {}),
    turn: () => ask({}).catch(() => {}),
    stopAt: (wire) => ask({ stopAt: wire }),
    setAhead(aheadMs) {
      limits = { ...limits, aheadMs }
      return ask({ limits })
    },
    async restart() {
      if (isRunning()) child.kill('SIGKILL')
      witnessed.working.clear()
      child = await start()
    },
    async stop() {
      if (!isRunning()) return
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    },
  }
}

/** Flows with a type that Node-RED does not know would never start. */
async function checkTypes(port: number, flow: readonly FlowNode[]): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/nodes`, { headers: { accept: 'application/json' } })
  const sets = (await answer.json()) as { types: string[]; enabled: boolean }[]
  const known = new Set(sets.filter(({ enabled }) => enabled).flatMap(({ types }) => types))
  const missing = typesIn(flow).filter((type) => !known.has(type))
  if (missing.length > 0)
    throw new CommandError(`This Node-RED has no node of the type ${missing.join(', ')}; install it next to Node-RED.`)
}

function note(witnessed: Witnessed, seen: Seen): void {
  if (seen.hop) witnessed.hops.push(seen.hop)
  if (seen.caught !== undefined) witnessed.caught.push(seen.caught)
  if (seen.shown) witnessed.shown.push(seen.shown)
  if (seen.logged) witnessed.logged.push(seen.logged)
  if (seen.refused) witnessed.refused.push(seen.refused)
  const change = seen.begun ? 1 : -1
  const node = seen.begun?.node ?? seen.ended?.node
  if (node !== undefined) witnessed.working.set(node, (witnessed.working.get(node) ?? 0) + change)
}

interface Seen {
  hop?: Hop
  caught?: string
  shown?: Witnessed['shown'][number]
  logged?: Witnessed['logged'][number]
  refused?: Witnessed['refused'][number]
  begun?: { node: string }
  ended?: { node: string }
}

async function prepare(userDir: string, port: number): Promise<void> {
  await mkdir(join(userDir, 'node_modules/@countersign'), { recursive: true })
  await mkdir(join(userDir, 'nodes'))
  await symlink(root, join(userDir, 'node_modules', PACKAGE), 'junction')
  await writeFile(
    join(userDir, 'package.json'),
    JSON.stringify({ name: 'rehearsal', dependencies: { [PACKAGE]: '*' } }),
  )
  const witness = join(root, 'commonjs/rehearsal-witness.cjs')
  await writeFile(join(userDir, 'nodes/rehearsal.js'), `module.exports = require(${JSON.stringify(witness)})\n`)
  await writeFile(join(userDir, 'nodes/rehearsal.html'), '')
  const settings = {
    uiPort: port,
    uiHost: '127.0.0.1',
    flowFile: 'flows.json',
    credentialSecret: 'rehearsal',
    telemetry: { enabled: false },
    functionExternalModules: false,
    externalModules: { palette: { allowInstall: false }, modules: { allowInstall: false } },
    logging: { console: { level: 'info' } },
    userDir,
  }
  await writeFile(join(userDir, 'settings.js'), `module.exports = ${JSON.stringify(settings)}\n`)
}

const running = new Set<ChildProcess>()

/** Ends every Node-RED at once, for a process that ends before its rehearsal. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** The variables of the caller that Node.js needs; all others may hold secrets. */
const NEEDED = ['PATH', 'Path', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LANG', 'TZ']

interface Start {
  red: string
  userDir: string
  limits: Limits
  see: (seen: Seen) => void
}

async function started({ red, userDir, limits, see }: Start): Promise<ChildProcess> {
  const needed = NEEDED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  const env = { ...Object.fromEntries(needed), HOME: userDir, COUNTERSIGN_REHEARSAL: JSON.stringify(limits) }
  const child = fork(red, ['-u', userDir], { silent: true, cwd: limits.folder, env, execArgv: [] })
  running.add(child)
  child.once('exit', () => running.delete(child))
  child.on('message', (seen) => see(seen as Seen))
  const printed: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      printed.push(String(chunk))
      see({ logged: { node: '', isError: false, text: String(chunk) } })
    })
  await heard(child, 'started').catch((failure) => {
    throw new CommandError(`Node-RED ended at its start: ${printed.join('').trim().split('\n').at(-1) ?? failure}`)
  })
  return child
}

/** Resolves with the next message that has this member, and rejects when the process ends before it. */
const heard = (child: ChildProcess, name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const finish = (end: () => void) => {
      child.off('message', look)
      child.off('exit', onExit)
      end()
    }
    const look = (seen: object) => {
      if (name in seen) finish(resolve)
    }
    const onExit = () => finish(() => reject(new Error('Node-RED ended')))
    child.on('message', look)
    child.once('exit', onExit)
  })
