/** A real Node-RED in a process of its own, with this package installed, driven through its admin API and a probe inside. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, lchownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt, root } from '../built.ts'
import { eventually } from '../eventually.ts'
import { freePort } from '../network/free-port.ts'
import { forked } from '../processes.ts'
import { asText, watchProbe } from './watch-probe.ts'

export type FlowNode = { id: string; type: string; [property: string]: unknown }
export type DeployType = 'full' | 'flows' | 'nodes'

export interface NodeRedOptions {
  /** False leaves Node-RED without editor and admin API; its flows are then those of the user directory. */
  adminRoot?: string | false
  nodeRoot?: string
  /** Further settings, as they would stand in settings.js. */
  settings?: Record<string, unknown>
  /** An existing user directory, to start again in. */
  userDir?: string
  port?: number
  /** Where the process runs. */
  cwd?: string
  /** Whom it runs as, where this process is root's; the user directory is given to them. */
  user?: { uid: number; gid: number } | undefined
  /** A module that the process loads first. */
  preload?: string
  /** The package whose red.js is started. */
  runtime?: 'node-red' | 'node-red-4'
}

export async function startNodeRed(options: NodeRedOptions = {}) {
  ensureBuilt()
  const { adminRoot = '/', nodeRoot = '/', settings = {}, runtime = 'node-red' } = options
  const port = options.port ?? (await freePort())
  const userDir = options.userDir ?? prepareUserDir()
  const all = {
    uiPort: port,
    uiHost: '127.0.0.1',
    httpAdminRoot: adminRoot,
    httpNodeRoot: nodeRoot,
    flowFile: 'flows.json',
    credentialSecret: 'test',
    telemetry: { enabled: false },
    editorTheme: { tours: false },
    // Nothing is installed from the editor, so its start need not ask npm for its version.
    externalModules: { palette: { allowInstall: false } },
    userDir,
    logging: { console: { level: 'warn' } },
    contextStorage: undefined,
    ...settings,
  }
  writeFileSync(join(userDir, 'settings.js'), `module.exports = ${JSON.stringify(all, null, 2)}\n`)

  if (options.user) giveTo(options.user, userDir)
  const child = forked(join(root, 'node_modules', runtime, 'red.js'), ['-u', userDir], {
    cwd: options.cwd ?? userDir,
    user: options.user,
    env: {
      ...process.env,
      ...(options.user && { HOME: userDir }),
      NODE_OPTIONS: options.preload ? `--require ${options.preload}` : '',
    },
  })
  const log: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => log.push(String(chunk)))
  const ended = once(child, 'exit')
  const probe = watchProbe(child)
  await Promise.race([
    probe.started(),
    ended.then(() => Promise.reject(new Error(`Node-RED ended at its start:\n${log.join('')}`))),
  ])
  const base = `http://127.0.0.1:${port}`
  const adminUrl = (path: string) => `${base}${adminRoot}/${path}`.replace(/([^:])\/{2,}/g, '$1/')
  await answers(base)

  return {
    userDir,
    port,
    log,
    adminUrl,
    /** An address below the node root, where `http in` and webhooks answer. */
    nodeUrl: (path: string) => `${base}${nodeRoot}/${path}`.replace(/([^:])\/{2,}/g, '$1/'),
    /** Resolves when flows have started the next time, as after a deploy of the editor. */
    started: probe.started,
    statusOf: probe.statusOf,
    hasShown: probe.hasShown,
    /** The next message of a probe that was not taken yet. */
    next: probe.next,
    /** The probe's messages that were not taken yet. */
    waiting: probe.waiting,
    /** The same, and takes them. */
    take: probe.take,
    /** Deploys, and forgets the messages and statuses that were seen before. */
    async deploy(flow: FlowNode[], type: DeployType = 'full') {
      const started = probe.started()
      probe.forget()
      const response = await fetch(adminUrl('flows'), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'Node-RED-Deployment-Type': type },
        body: JSON.stringify(flow),
      })
      // Read to its end, so that its connection is free for the next request.
      const answer = await response.text()
      if (!response.ok) throw new Error(`Deploying failed: ${response.status} ${answer}`)
      await started
    },
    inject(id: string, message: object = {}) {
      child.send({ inject: id, message: asText(message) })
    },
    /** Forgets what editors have stored. Resolves when the log holds all that was printed before. */
    async reset() {
      const mark = randomUUID()
      child.send({ reset: mark })
      await eventually(() => {
        if (log.join('').split(mark).length < 3) throw new Error('Node-RED does not print what it is told to.')
      })
      probe.forget()
    },
    /** Lets this process end while it runs, which then ends, too. */
    unref() {
      for (const held of [child, child.channel, child.stdout, child.stderr] as ({ unref(): void } | null)[])
        held?.unref()
    },
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop({ keep = false } = {}) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGINT')
        await ended
      }
      if (!keep) rmSync(userDir, { recursive: true, force: true })
    },
  }
}
export type NodeRed = Awaited<ReturnType<typeof startNodeRed>>

/** Gives away a folder with all that lies in it, and nothing of what links in it lead to. */
function giveTo(user: { uid: number; gid: number }, folder: string): void {
  lchownSync(folder, user.uid, user.gid)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) giveTo(user, join(folder, entry.name))
    else lchownSync(join(folder, entry.name), user.uid, user.gid)
  }
}

export function prepareUserDir(): string {
  const userDir = mkdtempSync(join(tmpdir(), 'countersign-node-red-'))
  const name = '@countersign/node-red-document-signature'
  mkdirSync(join(userDir, 'node_modules/@countersign'), { recursive: true })
  symlinkSync(root, join(userDir, 'node_modules', name))
  writeFileSync(join(userDir, 'package.json'), JSON.stringify({ name: 'flows', dependencies: { [name]: '*' } }))
  mkdirSync(join(userDir, 'nodes'))
  cpSync(join(root, 'test/support/node-red/probe/probe.cjs'), join(userDir, 'nodes/probe.js'))
  cpSync(join(root, 'test/support/node-red/probe/probe.html'), join(userDir, 'nodes/probe.html'))
  return userDir
}

const answers = (url: string) => eventually(async () => void (await fetch(url)))
