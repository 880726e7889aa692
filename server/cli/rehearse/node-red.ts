/** The Node-RED of a rehearsal: a process of its own, with a fresh user directory and a witness inside. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fileAt, isBuilt } from '../../../lib/places.ts'
import { CommandError } from '../command/command-error.ts'
import type { FlowNode } from './rehearsed-flow.ts'

export interface Hop {
  from: string
  to: string
  /** The id that Node-RED gave the message. */
  message: string
  taskId: number | null
  status: string | null
}

export interface Witnessed {
  hops: Hop[]
  /** The nodes whose errors a catch node received. */
  caught: string[]
  /** What a debug node or the status of a node showed. */
  shown: { node: string; text: string }[]
  logged: { node: string; isError: boolean; text: string }[]
}

export interface RehearsalNodeRed {
  readonly witnessed: Witnessed
  readonly isRunning: boolean
  deploy(flow: readonly FlowNode[]): Promise<void>
  press(id: string): void
  /** Kills the process just before a message goes over this wire. */
  stopAt(wire: Pick<Hop, 'from' | 'to'>): void
  /** Starts the process again on the same directory. */
  restart(): Promise<void>
  stop(): Promise<void>
}

const PACKAGE = '@countersign/node-red-document-signature'
const root = fileURLToPath(fileAt(isBuilt ? '../' : ''))

/** @param folder of the user's installation; the one next to this package when undefined */
export function redOf(folder: string | undefined): string {
  const places = [folder, process.cwd(), root].filter((place) => place !== undefined)
  for (const place of folder === undefined ? places : [folder])
    for (const name of ['node-red/red.js', './red.js']) {
      try {
        return createRequire(join(place, 'package.json')).resolve(name)
      } catch {
        // The next place is tried.
      }
    }
  throw new CommandError('--node-red: the folder of a Node-RED; none is installed here.')
}

export async function startRehearsalNodeRed(red: string, userDir: string, port: number): Promise<RehearsalNodeRed> {
  const witnessed: Witnessed = { hops: [], caught: [], shown: [], logged: [] }
  await prepare(userDir, port)
  let child = await started(red, userDir, witnessed)
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    witnessed,
    get isRunning() {
      return isRunning()
    },
    async deploy(flow) {
      const begun = message(child, 'started')
      const answer = await fetch(`http://127.0.0.1:${port}/flows`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'Node-RED-Deployment-Type': 'full' },
        body: JSON.stringify(flow),
      })
      if (!answer.ok) throw new CommandError(`Node-RED refuses the flows with ${answer.status}.`)
      await begun
    },
    press: (id) => void child.send({ press: id }),
    stopAt: (wire) => void child.send({ stopAt: wire }),
    async restart() {
      if (isRunning()) child.kill('SIGKILL')
      child = await started(red, userDir, witnessed)
    },
    async stop() {
      if (!isRunning()) return
      child.kill('SIGINT')
      await once(child, 'exit')
    },
  }
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
    externalModules: { palette: { allowInstall: false }, modules: { allowInstall: false } },
    logging: { console: { level: 'info' } },
    userDir,
  }
  await writeFile(join(userDir, 'settings.js'), `module.exports = ${JSON.stringify(settings)}\n`)
}

async function started(red: string, userDir: string, witnessed: Witnessed): Promise<ChildProcess> {
  const child = fork(red, ['-u', userDir], { silent: true, cwd: userDir, env: { ...process.env, NODE_OPTIONS: '' } })
  child.on('message', (told: Record<string, never>) => {
    if (told.hop) witnessed.hops.push(told.hop)
    if (told.caught) witnessed.caught.push(told.caught)
    if (told.shown) witnessed.shown.push(told.shown)
    if (told.logged) witnessed.logged.push(told.logged)
  })
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => witnessed.logged.push({ node: '', isError: false, text: String(chunk) }))
  const ended = once(child, 'exit').then(() => {
    throw new CommandError('Node-RED ended at its start; run it by hand to see why.')
  })
  await Promise.race([message(child, 'started'), ended])
  ended.catch(() => {})
  return child
}

const message = (child: ChildProcess, name: string): Promise<void> =>
  new Promise((resolve) => {
    const look = (told: object) => {
      if (!(name in told)) return
      child.off('message', look)
      resolve()
    }
    child.on('message', look)
  })
